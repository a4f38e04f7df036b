import {
  isWithin,
  phaseOf,
  type Said,
  type SessionSnapshot,
  type StoredSession,
} from '../../machines/index.ts';
import type { FilePort, ShellOutcome, Target, ToolContext } from '../../tools/types.ts';
import type { ShellMode } from '../ports.ts';
import type { TurnWorld } from './turn-world.ts';

/** A byte order mark is part of the text, as it is for the store: a hash would differ without it. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

interface CallFacts {
  tool: string;
  /** The call's id in its response. */
  call: string;
  target: Target | null;
  shell: ShellMode;
  snapshot: SessionSnapshot;
  stored: StoredSession;
}

/** What one call may touch. Writes to the session `.md` go through the machine, which may refuse them. */
export function toolContext(world: TurnWorld, call: CallFacts): ToolContext {
  const { cwd } = call.snapshot.context.record;
  const notes = groupNotes(world);
  const seconds = world.workspace.commandSeconds;
  const shell = world.workspace.shell({
    cwd,
    turn: world.turn,
    visible: () => readableFiles(world, call.stored),
    onGroup: (group) => notes.note(group),
  });
  return {
    cwd,
    turn: world.turn,
    child: isChild(world),
    target: call.target,
    files: sessionFiles(world, call),
    shell: {
      ...(seconds === undefined ? {} : { seconds }),
      level: () => shell.level(call.shell),
      async run(command, timeoutMs, signal) {
        const run = async (): Promise<ShellOutcome> => {
          const outcome = await shell.run(command, call.shell, timeoutMs, signal);
          await notes.written();
          return outcome;
        };
        return (await shell.unguarded(call.shell)) ? watched(world, run) : run();
      },
    },
    http: world.workspace.http,
    resolve: (given, access) => resolveFurther(world, call, given, access),
    send: (said) => sendTool(world, said),
    ask: (question, options) => ask(world, question, options),
    archived: (name) => archived(world, call.stored, name),
    spawn: (order) => world.spawn(order, call.call),
    signal: world.signal,
  };
}

const isChild = ({ agent }: TurnWorld): boolean => agent.kind !== 'main';

/** A command that nothing is around: the lease keeps the plan files meanwhile, and what it did to them is undone (D22). */
async function watched(world: TurnWorld, run: () => Promise<ShellOutcome>): Promise<ShellOutcome> {
  const { turn } = world;
  const began = await world.send({ type: 'turn.note', turn, shell: 'begins' });
  if ('code' in began) return { kind: 'refused', text: `Nothing was run. ${began.code}: ${began.text}` };
  const outcome = await run();
  const { text } = await world.send({ type: 'turn.note', turn, shell: 'ended' });
  if (outcome.kind === 'refused' || text === '') return outcome;
  return { ...outcome, output: `${outcome.output.trimEnd()}\n[${text}]\n` };
}

/** Of the home a tool may read this session's own plan files, and skills (D21). */
export function readableFiles({ paths, skills }: TurnWorld, stored: StoredSession): string[] {
  const copies = stored.archives.map((name) => `${paths.archive}/${name}`);
  return [paths.document, `${paths.own}/revisions`, ...copies, ...skills.folders];
}

/** A path that a tool meets on its way is as closed as one that the gate judges: of the home only this plan's files (D21). */
async function resolveFurther(
  world: TurnWorld,
  { snapshot, stored }: CallFacts,
  given: string,
  access: 'read' | 'write',
): Promise<Target | { cause: string }> {
  const target = await world.workspace.resolve(given, access, snapshot.context.record.cwd);
  if ('cause' in target || !isWithin(target.path, world.workspace.home)) return target;
  const open = access === 'read' && readableFiles(world, stored).some((path) => isWithin(target.path, path));
  return open ? target : { cause: 'it holds settings or other sessions and is closed' };
}

/** After `init` the model knows the text: the result named the file, and the scaffold is in its instructions. */
async function sendTool(world: TurnWorld, said: Extract<Said, { type: `tool.${string}` }>) {
  const answer = await world.send(said);
  if (said.type === 'tool.init' && answer.kind === 'accepted') {
    const { snapshot } = await world.fresh();
    world.seen.hash = snapshot.context.document?.hash ?? null;
    // Plan mode binds what runs already, too: a sub-agent's command may be under way (D22).
    if (phaseOf(snapshot) === 'postInit') await world.workspace.endGroup(null, world.turn);
  }
  return answer;
}

async function ask(world: TurnWorld, question: string, options: readonly string[]): Promise<string | null> {
  const answer = await waiting(world, 'your answer', () =>
    world.desk.ask({ kind: 'question', question, options }, world.signal),
  );
  return answer?.kind === 'question' ? answer.text : null;
}

/** The lease says what a turn waits for and where, so that every surface can name it and end it (D36). */
export async function waiting<T>(world: TurnWorld, what: string, work: () => Promise<T>): Promise<T> {
  const { turn, surface } = world;
  await world.send({ type: 'turn.note', turn, waiting: { what, surface, since: world.clock.now() } });
  try {
    return await work();
  } finally {
    await world.send({ type: 'turn.note', turn, waiting: null });
  }
}

async function archived(world: TurnWorld, stored: StoredSession, name: string) {
  if (!stored.archives.includes(name) || !name.endsWith('.md'))
    return { cause: `${name} is no archived session plan of this session` };
  const read = await world.workspace.files.read(`${world.paths.archive}/${name}`, 10 * 1024 * 1024);
  return 'cause' in read ? read : { text: decoder.decode(read.bytes) };
}

async function note(
  world: TurnWorld,
  before: Promise<void>,
  group: { pid: number; started: string } | null,
): Promise<void> {
  await before;
  const answer = await world.send({ type: 'turn.note', turn: world.turn, group });
  if (!('code' in answer) || answer.code !== 'NOT_SAVED') return;
  world.publish({ type: 'notice', level: 'error', text: answer.text });
}

/** Process groups of the running command, written to the lease one after another (D16). */
function groupNotes(world: TurnWorld) {
  let tail = Promise.resolve();
  return {
    note(group: { pid: number; started: string } | null): void {
      // A lease that can't be written does not stop the command; the turn's own end is still durable.
      tail = note(world, tail, group);
    },
    written: () => tail,
  };
}

function sessionFiles(world: TurnWorld, call: CallFacts): FilePort {
  const { files } = world.workspace;
  const { document } = world.paths;
  let read: string | null = null;
  return {
    ...files,
    async read(path, limitBytes) {
      const found = await files.read(path, limitBytes);
      if (path === document && 'bytes' in found) {
        read = world.store.hash(decoder.decode(found.bytes));
        // Only a reading tool shows the text to the model; an edit looks at it for itself.
        if (call.tool === 'read_file') world.seen.hash = read;
      }
      return found;
    },
    async write(target, text) {
      if (target.path !== document) return files.write(target, text);
      // An edit made on a text that the model has not read is as stale as a write over it (D23).
      const base = read === null || read === world.seen.hash ? world.seen.hash : null;
      return writeDocument(world, { text, base, plan: call.snapshot.context.plan?.id ?? null });
    },
  };
}

async function writeDocument(
  world: TurnWorld,
  written: { text: string; base: string | null; plan: string | null },
) {
  const answer = await world.send({
    type: 'tool.document',
    turn: world.turn,
    child: isChild(world),
    ...written,
  });
  if ('code' in answer) return { cause: `${answer.code}: ${answer.text}`, code: answer.code };
  if (answer.kind !== 'accepted') return { cause: answer.text };
  // What the model wrote itself it need not read again.
  world.seen.hash = world.store.hash(written.text);
  return { ok: true as const, notes: [answer.text] };
}
