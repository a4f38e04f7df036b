import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type FileFound, recordText, SessionRecord, type StoredSession } from '../../machines/index.ts';
import type { Move } from '../support/explore.ts';
import { fileOf } from '../support/samples.ts';
import { tryLock } from '../../adapters/store/sqlite-lock.ts';
import { plantedStamp, saveAs } from './calls.ts';
import { until } from './until.ts';

/** The files of one session, and what an editor, a crash or another program does to them. */
export class Files {
  readonly sidecar: string;
  readonly document: string;
  readonly transcript: string;
  private readonly lock: string;
  private held: { close(): void } | null = null;
  private readonly record: string;
  private readonly session: string;

  constructor(home: string, session: string) {
    const folder = join(home, '.opencrabs');
    this.session = session;
    this.sidecar = join(folder, 'session', `.opencrabs_plan_${session}.json`);
    this.document = join(folder, 'session', `.opencrabs_plan_${session}.md`);
    this.record = join(folder, 'planchart/sessions', session, 'session.json');
    this.transcript = join(folder, 'planchart/sessions', session, 'transcript.jsonl');
    this.lock = join(folder, 'planchart/locks', `${session}.transcript.db`);
  }

  /**
   * As another program that writes into the transcript: a turn that was stopped cannot end before `letGo`, and so
   * can be looked at. After 10 s the program gives up waiting.
   */
  async hold(): Promise<void> {
    this.held ??= await until(
      () => tryLock(this.lock, 0),
      () => `${this.lock} is held by the program`,
    );
  }

  letGo(): void {
    this.held?.close();
    this.held = null;
  }

  read(): StoredSession {
    const record = SessionRecord.parse(JSON.parse(readFileSync(this.record, 'utf8')));
    const found = (path: string): FileFound => fileOf(path, textAt(path));
    return {
      record,
      sidecar: found(this.sidecar),
      document: found(this.document),
      leaseAlive: record.lease !== null,
      gone: [],
      archives: [],
    };
  }

  change({ disk }: Extract<Move, { disk: unknown }>): void {
    const before = this.read();
    const after = disk(before);
    if (recordText(after.record) !== recordText(before.record)) saveAs(this.record, recordText(after.record));
    for (const name of ['sidecar', 'document'] as const) {
      if (isDeepStrictEqual(before[name], after[name])) continue;
      const { path } = before[name];
      const found = after[name];
      mkdirSync(dirname(path), { recursive: true });
      if (found.kind === 'text') saveAs(path, found.text);
      else rmSync(path);
    }
  }

  /** Files in the archive that the program has put there. */
  archived(): number {
    const folder = join(dirname(this.document), 'archive');
    if (!existsSync(folder)) return 0;
    const prefix = `opencrabs_plan_${this.session}-`;
    const own = readdirSync(folder).filter((name) => basename(name).startsWith(prefix));
    return own.filter((name) => !name.startsWith(`${prefix}${plantedStamp}`)).length;
  }

  /** Every place of a path in the model's texts becomes the real one. */
  real(text: string, model: StoredSession): string {
    return text
      .replaceAll(model.record.cwd, this.read().record.cwd)
      .replaceAll(model.sidecar.path, this.sidecar)
      .replaceAll(model.document.path, this.document)
      .replaceAll(dirname(model.document.path), dirname(this.document));
  }

  /** A line for each thing on disk that is not as the model says. */
  faults(model: StoredSession, archived: number): string[] {
    const is = this.read();
    return [
      ...compared('record', recordFacts(model.record), recordFacts(is.record)),
      ...compared('sidecar', sidecarFacts(model.sidecar), sidecarFacts(is.sidecar)),
      ...compared('.md', textOf(model.document), textOf(is.document)),
      ...compared('files in the archive', archived, this.archived()),
    ];
  }
}

/** Null where there is none; it may go at any moment. */
function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

const textOf = (found: FileFound): string | null => (found.kind === 'text' ? found.text : null);

/** Ids, times and the person's name are the program's own. */
function recordFacts({
  yolo,
  goal,
  queue,
  interrupted,
  name,
  lease,
}: SessionRecord): Record<string, unknown> {
  return {
    yolo,
    goal,
    interrupted,
    name: name === undefined ? null : name.replace(/^\/(?=make )/u, ''),
    queue: queue.map(({ said }) => ({
      ...said,
      by: null,
      seen: null,
      text: 'text' in said ? plainText(said.text ?? '') : null,
    })),
    lease: lease && {
      kind: lease.kind,
      cancel: lease.cancel?.then ?? null,
      closed: lease.closed && { title: lease.closed.title, tasks: lease.closed.tasks },
    },
  };
}

/** A command of the person's own is typed with a slash; the model says what it is about. */
const plainText = (text: string): string => text.replace(/^\/(?=make )/u, '');

type Json = Record<string, unknown>;

function sidecarFacts(found: FileFound): unknown {
  const text = textOf(found);
  if (text === null) return null;
  let root: Json;
  try {
    root = JSON.parse(text) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
  const tasks = (root['tasks'] ?? []) as Json[];
  const order = new Map(tasks.map((task) => [task['id'], task['order']]));
  const approval = root['approval'] as Json | null | undefined;
  return {
    ...root,
    id: null,
    session_id: null,
    created_at: null,
    updated_at: null,
    rev: null,
    approved_at: typeof root['approved_at'],
    approval: approval && { hash: approval['hash'] },
    tasks: tasks.map((task) => ({
      ...task,
      id: null,
      completed_at: typeof task['completed_at'],
      dependencies: ((task['dependencies'] ?? []) as unknown[]).map((id) => order.get(id) ?? id),
    })),
  };
}

function compared(name: string, model: unknown, is: unknown): string[] {
  if (isDeepStrictEqual(model, is)) return [];
  if (isObject(model) && isObject(is)) {
    const keys = [...new Set([...Object.keys(model), ...Object.keys(is)])];
    return keys.flatMap((key) => compared(`${name}, ${key}`, model[key], is[key]));
  }
  return [`${name}: the model says ${JSON.stringify(model)}, it is ${JSON.stringify(is)}`];
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
