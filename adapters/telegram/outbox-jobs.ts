import type { InlineKeyboardMarkup } from 'grammy/types';
import type { Rich } from './html/rich.ts';
import type { Delivery, DocumentPost, Keep, Post } from './outbox-types.ts';

/** A piece of a post, one message. */
export interface Part {
  body: Rich;
  as: 'html' | 'plain';
}

interface Base {
  /** Order in which things were handed over. */
  order: number;
  keep: Keep;
  /** Not before; after a failure. */
  due: number;
  tries: number;
  /** Who waits to hear of it: several, where newer content took the place of older. */
  settle: ((delivery: Delivery) => void)[];
}

export interface PostJob extends Base {
  kind: 'post';
  post: Post;
  /** Still to be sent. */
  parts: Part[];
  messages: number[];
  as: 'html' | 'plain';
  /** The answer to sending the first part was lost, so it is looked for before it is sent again (decision 0060). */
  seek: Seek | null;
}

/** Ids that a message may have; `keep` is that of the job, which is not dropped while it looks. */
interface Seek {
  next: number;
  last: number;
  keep: Keep;
}

export interface DocumentJob extends Base {
  kind: 'document';
  post: DocumentPost;
  messages: number[];
  as: 'html' | 'plain';
}

export interface EditJob extends Base {
  kind: 'edit';
  message: number;
  /** null: the buttons only. */
  body: Rich | null;
  keyboard: InlineKeyboardMarkup | null;
  as: 'html' | 'plain';
}

export interface DeleteJob extends Base {
  kind: 'delete';
  message: number;
}

export type Job = PostJob | DocumentJob | EditJob | DeleteJob;

/**
 * One edit out of two of the same message: the newest content at the older one's place. Buttons alone go into a waiting
 * text, and a text brings its own.
 */
export function merged(older: EditJob, newer: EditJob): EditJob {
  return {
    ...newer,
    body: newer.body ?? older.body,
    as: newer.body === null ? older.as : newer.as,
    order: Math.min(older.order, newer.order),
    keep: older.keep === 'always' ? 'always' : newer.keep,
    due: Math.max(older.due, newer.due),
    tries: Math.max(older.tries, newer.tries),
    settle: [...older.settle, ...newer.settle],
  };
}

/** The jobs with one more, in order; an edit is merged with the one that waits for the same message. */
export function queued(jobs: readonly Job[], job: Job): Job[] {
  const isSame = (one: Job): one is EditJob =>
    one.kind === 'edit' && job.kind === 'edit' && one.message === job.message;
  const same = jobs.find(isSame);
  const rest = jobs.filter((one) => one !== same);
  const next =
    same === undefined || job.kind !== 'edit'
      ? job
      : same.order < job.order
        ? merged(same, job)
        : merged(job, same);
  return [...rest, next].toSorted((a, b) => a.order - b.order);
}
