import type { Cannot } from './coverage.ts';
import type { Failure } from './run.ts';

/** How much of one kind is covered; `missing` by name. */
export interface Count {
  kind: string;
  covered: number;
  of: number;
  missing: readonly string[];
}

/** One path that was walked, as a person reads it. */
export interface Case {
  id: string;
  /** What it walks to, in a few words. */
  name: string;
  /** One line a step; after a failure only those up to it. */
  lines: readonly string[];
  ms: number;
  failure: Failure | null;
}

/** All paths of one machine on one surface. */
export interface Suite {
  machine: string;
  /** `model` where only the machine itself is stepped. */
  surface: string;
  counts: readonly Count[];
  /** What has to be covered: all counts, or only that of what the surface can do. */
  owes: 'everything' | 'what it can do';
  /** Steps that were walked; on a surface each is compared. */
  steps: number;
  ms: number;
  cases: readonly Case[];
  /** What the surface cannot do, by reason; none of it is covered. */
  cannot: readonly Cannot[];
}

export const failedIn = ({ cases }: Suite): Case[] => cases.filter(({ failure }) => failure !== null);
