import type { Actor, Said, TaskDraft } from '../../../machines/index.ts';
import { sha256 } from './sha256.ts';

export const owner: Actor = { entry: 'interactive', surface: 'tui', person: 'ann', owner: true };
export const stranger: Actor = { entry: 'interactive', surface: 'telegram', person: 'bob', owner: false };
export const unattended: Actor = { entry: 'run', surface: 'run', person: 'ann', owner: true };

const plan = (title: string, ...steps: string[]): string =>
  [
    `# ${title}`,
    '## Context',
    '- **Problem:** the basket forgets what is in it.',
    '- **Target state:** a basket lasts a week.',
    '- **Intent:** people come back to it.',
    '## Implementation steps',
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    '',
  ].join('\n');

/** Session plans: one that can be approved, a later revision of it, and one that cannot be approved. */
export const texts = {
  complete: plan('Keep the basket', 'Store the basket.', 'Load it again.'),
  other: plan('Keep every basket', 'Store all baskets.', 'Drop the old ones.'),
  faulty: '# Keep the basket\n## Context\n- **Problem:** \n',
} as const;

/** What the session plan is, in words. */
export function textName(text: string): string {
  const name = Object.entries(texts).find(([, known]) => known === text)?.[0];
  return name === undefined ? 'as init wrote it, or your own' : `the ${name} text`;
}

export const otherHash = sha256('a text that is not there');

export const draft = (title: string, fields: Partial<TaskDraft> = {}): TaskDraft => ({
  title,
  description: `${title}.`,
  ...fields,
});

export const two: TaskDraft[] = [draft('Store the basket'), draft('Load it again', { dependencies: [1] })];
export const apart: TaskDraft[] = [draft('Store the basket'), draft('Load it again')];

/** An import file as the tool found it. */
export const importFile = (content: unknown): { path: string; text: string } => ({
  path: '/home/ann/shop/plan.json',
  text: typeof content === 'string' ? content : JSON.stringify(content),
});

/** Label and payload, by the id of the choice. */
export type Spoken = Readonly<Record<string, readonly [label: string, said: Said]>>;
