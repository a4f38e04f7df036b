import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { SessionStore } from '../../adapters/ports.ts';
import { createDispatcher, type Dispatched, type Dispatcher } from '../../adapters/runtime/dispatch.ts';
import { archivePrefix } from '../../adapters/store/places.ts';
import { createFileStore } from '../../adapters/store/index.ts';
import { createWorkspace } from '../../adapters/workspace/workspace.ts';
import {
  type FileFound,
  recordText,
  type Said,
  type Stamp,
  type StoredSession,
} from '../../machines/index.ts';
import { emptyWorld, type Move } from '../support/explore.ts';
import { edgeFaults } from '../support/explore-checks.ts';
import { keyOf } from '../support/explore-key.ts';
import { home as modelHome, sessionId, stampOf } from '../support/samples.ts';
import { archivedBy, compared, factsOfModel, factsOfReality } from './facts.ts';
import type { Step, Surface, Walk } from './surface.ts';
import { stampAt } from './walk.ts';

/**
 * The dispatcher, through which every surface and every turn goes, on a real store in a temporary folder. No turn is
 * carried out: its calls and its end are said as the turn's host would say them. So there is nothing that it lacks.
 */
export const engine: Surface = {
  name: 'engine',
  lacks: () => null,
  open: async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-path-')));
    const home = join(root, 'home');
    mkdirSync(home);
    const store = createFileStore({ home });
    await store.create(emptyWorld().stored.record);
    return new EngineWalk(root, home, store);
  },
};

class EngineWalk implements Walk {
  private readonly root: string;
  private readonly home: string;
  private readonly store: SessionStore;
  private readonly dispatcher: Dispatcher;
  private stamp: Stamp = stampAt(0);
  private index = 0;
  private ids: string[] = [];
  private archived = 0;
  private last: Dispatched | null = null;

  constructor(root: string, home: string, store: SessionStore) {
    this.root = root;
    this.home = home;
    this.store = store;
    const workspace = createWorkspace({ home, userHome: root, env: {}, secrets: [], bubblewrap: 'bwrap' });
    // The model's own ids and times, so that files can be compared as they are.
    const clock = { now: () => this.now(), id: () => this.nextId() };
    this.dispatcher = createDispatcher({ store, workspace, process: this.stamp.process, clock });
  }

  async perform({ before, move }: Step): Promise<void> {
    this.stamp = stampAt(this.index);
    this.index += 1;
    this.last = 'said' in move ? await this.say(move.said) : await this.change(before.stored, move);
  }

  async differences(step: Step): Promise<string[]> {
    if (this.last === null) throw new Error('nothing was performed');
    this.archived += archivedBy(step);
    const stored = await this.store.read(sessionId);
    const { before, move, after } = step;
    const place = { name: keyOf(before.snapshot), world: before, edges: [] };
    const real = factsOfReality(this.last, stored, this.archives(), (text) =>
      text.replaceAll(this.home, modelHome),
    );
    return [
      ...compared(factsOfModel(step, this.archived), real, 'said' in move ? 'said' : 'found'),
      // Model and runtime share the machine, so what has to hold for any event is asked as well.
      ...edgeFaults(place, { move, next: after }),
    ];
  }

  async close(): Promise<void> {
    this.dispatcher.leave(sessionId);
    const { lease } = (await this.store.read(sessionId)).record;
    if (lease !== null) this.dispatcher.letGo(lease.turn);
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  private say(said: Said): Promise<Dispatched> {
    return this.dispatcher.dispatch(sessionId, said);
  }

  /** What an editor, a command or the end of a process does to the files; whoever looks next finds it. */
  private async change(before: StoredSession, move: Exclude<Move, { said: Said }>): Promise<Dispatched> {
    const { lease } = before.record;
    const changed = move.disk(before);
    if (move.type === 'command' && lease !== null) {
      this.stamp = stampOf(1);
      await this.say({ type: 'turn.note', turn: lease.turn, shell: 'begins' });
      this.stamp = stampAt(this.index - 1);
    } else if (recordText(changed.record) !== recordText(before.record)) {
      writeFileSync(join(this.store.paths(sessionId).own, 'session.json'), recordText(changed.record));
    }
    this.write('sidecar', before.sidecar, changed.sidecar);
    this.write('document', before.document, changed.document);
    if (lease !== null && before.leaseAlive && !changed.leaseAlive) this.dispatcher.letGo(lease.turn);
    return this.dispatcher.refresh(sessionId, 'missing');
  }

  private write(name: 'sidecar' | 'document', before: FileFound, after: FileFound): void {
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    const path = this.store.paths(sessionId)[name];
    mkdirSync(dirname(path), { recursive: true });
    if (after.kind === 'text') writeFileSync(path, after.text);
    else rmSync(path);
  }

  private archives(): number {
    const names = readdirSync(this.root, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => basename(name).startsWith(archivePrefix(sessionId))).length;
  }

  private now(): string {
    this.ids = [...this.stamp.ids];
    return this.stamp.at;
  }

  private nextId(): string {
    const id = this.ids.shift();
    if (id === undefined) throw new Error('no more ids than the model has for one step');
    return id;
  }
}
