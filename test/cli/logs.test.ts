import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sit } from '../e2e/person.ts';
import { type ModelServer, type Script, startModelServer } from '../support/model-server.ts';
import { createWorld, lines, type World } from './planchart.ts';

let world: World;
let log: string;
let server: ModelServer | null = null;
beforeEach(() => {
  world = createWorld();
  log = join(world.home, '.opencrabs/planchart/logs/planchart.log');
});
afterEach(async () => {
  world.end();
  await server?.close();
  server = null;
});

type Line = Record<string, unknown> & { event: string };

const text = (): string => readFileSync(log, 'utf8');
const logged = (): Line[] => lines(text()).map((line) => JSON.parse(line) as Line);
const of = (event: string): Line[] => logged().filter((line) => line.event === event);

async function run(script: Script, args: readonly string[], env = {}) {
  server = await startModelServer(script);
  return world.run(args, { OPENAI_BASE_URL: server.baseUrl, PLANCHART_MODEL: 'openai:m', ...env });
}

/** Crashes the program outside of every await, once the folder of its sessions is there. */
const crash = (message: string): string => {
  const code = `const{existsSync}=process.getBuiltinModule("fs");const t=setInterval(()=>{if(!existsSync(process.env.CRASH_AT))return;clearInterval(t);setTimeout(()=>{throw new Error(${JSON.stringify(message)})},400)},20)`;
  return `--import data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
};

const calls = [
  { name: 'read_file', input: { path: 'there.txt' } },
  { name: 'read_file', input: { path: 'missing.txt' } },
  { name: 'write_file', input: { path: 'new.txt', content: 'PRIVATE-CONTENT' } },
];

describe('D54 the log of a run', () => {
  beforeEach(() => writeFileSync(join(world.project, 'there.txt'), 'PRIVATE-FILE'));

  it('tells what happened, how long it took and which code, in order', async () => {
    const usage = { prompt_tokens: 12, completion_tokens: 3 };
    const { stderr } = await run([{ calls, usage }, { text: 'PRIVATE-ANSWER' }], ['run', 'PRIVATE-QUESTION']);
    const session = /^Session (\S+) in /mu.exec(stderr)?.[1];
    const events = logged();
    expect(events.map(({ event }) => event)).toEqual([
      'start',
      'session.opened',
      'turn.started',
      'model.ended',
      'tool.ended',
      'tool.ended',
      'tool.ended',
      'model.ended',
      'turn.ended',
      'stop',
    ]);
    expect(events[0]).toMatchObject({
      v: 1,
      level: 'info',
      command: 'run',
      cwd: world.project,
      model: 'openai:m',
    });
    expect(events[1]).toMatchObject({ session });
    const ms = expect.any(Number) as number;
    expect(of('model.ended')[0]).toMatchObject({
      model: 'openai:m',
      ms,
      firstMs: ms,
      reason: 'calls',
      usage: { input: 12, output: 3 },
    });
    expect(of('tool.ended')).toMatchObject([
      { session, name: 'read_file', outcome: 'done', ms },
      { name: 'read_file', outcome: 'failed' },
      { name: 'write_file', outcome: 'refused', code: 'NEEDS_PERSON' },
    ]);
    expect(of('turn.ended')).toMatchObject([{ session, outcome: 'done', ms }]);
    expect(of('stop')).toMatchObject([{ session, code: 4 }]);
    expect(text()).not.toMatch(/PRIVATE|missing\.txt|new\.txt/u);
  });

  it('at debug also tells of texts, still without the conversation', async () => {
    await run([{ calls }, { text: 'PRIVATE-ANSWER' }], ['run', 'PRIVATE-QUESTION'], {
      PLANCHART_LOG: 'debug',
    });
    expect(of('tool.started')).toMatchObject([{ name: 'read_file', summary: 'there.txt' }, {}]);
    expect(of('dispatch').map((line) => line['type'])).toContain('user.chat');
    expect(text()).toContain('missing.txt');
    expect(text()).not.toContain('PRIVATE');
  });

  it('has the code of a failed model, its retries, and no key', async () => {
    const key = 'sk-very-secret-key';
    const failed = { status: 400, error: `no such thing as ${key}` };
    await run([failed], ['run', `my key is ${key}`], { OPENAI_API_KEY: key, PLANCHART_LOG: 'debug' });
    expect(of('model.ended')).toMatchObject([{ reason: 'failed', code: 'MODEL_FAILED' }]);
    expect(of('turn.ended')).toMatchObject([{ outcome: 'failed' }]);
    expect(of('turn.cause')).toHaveLength(1);
    expect(text()).not.toContain(key);
  });

  it('has the code of a refusal', async () => {
    await run([{ text: 'Hello.' }], ['--yolo', 'run', 'hello']);
    const id = of('session.opened')[0]?.['session'] as string;
    const sidecar = join(world.home, '.opencrabs/session', `.opencrabs_plan_${id}.json`);
    mkdirSync(dirname(sidecar), { recursive: true });
    writeFileSync(sidecar, '{');
    await world.run(['--session', id, '--project', 'x', 'run', 'hello']);
    expect(of('refused')).toMatchObject([
      { session: id, type: 'user.place', code: expect.any(String) as string },
    ]);
  });

  it('off writes nothing, and one that can’t be written stops nothing', async () => {
    await run([{ text: 'Hello.' }], ['run', 'hello'], { PLANCHART_LOG: 'off' });
    expect(readdirSync(dirname(dirname(log)))).not.toContain('logs');
    writeFileSync(dirname(log), 'in the way');
    const { code, stderr } = await world.run(['run', 'hello']);
    expect(code).toBe(0);
    expect(lines(stderr)[0]).toMatch(/^There is no log, since it can't be written: ENOTDIR/u);
  });
});

describe('D54 a crash', () => {
  it('of a run: one line with log and session, the stack in the log', async () => {
    const env = { NODE_OPTIONS: crash('boom'), CRASH_AT: log };
    const { code, stderr } = await run([{ hang: true }], ['run', 'hello'], env);
    const session = /^Session (\S+) in /mu.exec(stderr)?.[1];
    expect(code).toBe(1);
    expect(lines(stderr).slice(1)).toEqual([`planchart stopped: boom (session ${session}, log ${log})`]);
    expect(of('crash')).toMatchObject([
      {
        session,
        error: { message: 'boom', stack: expect.stringMatching(/^Error: boom\n\s+at /u) as string },
      },
    ]);
    expect(logged().at(-1)).toMatchObject({ event: 'stop', code: 1 });
  });

  it('of the terminal UI: the same, with the terminal restored', async () => {
    const person = await sit(world, [], { NODE_OPTIONS: crash('boom'), CRASH_AT: log });
    expect(await person.exit()).toBe(1);
    const session = of('session.opened')[0]?.['session'];
    const words = person.history().join('').replace(/\s+/gu, ' ');
    expect(words).toContain(`planchart stopped: boom (session ${session}, log ${log})`.slice(0, 60));
    expect(person.bytes()).toContain(`log ${log})`);
    expect(person.modes()).toEqual({ bracketedPaste: false, cursorKeys: false, mouse: 'off' });
    expect(of('crash')).toMatchObject([{ session, error: { message: 'boom' } }]);
  }, 60_000);
});
