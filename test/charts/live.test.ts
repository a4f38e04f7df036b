import { get, request } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LiveState } from '../../adapters/charts/page/live-state.ts';
import { plainEnv, program, start, type Started } from '../cli/planchart.ts';
import { type Harness, hashes, openHarness, until } from '../support/harness.ts';
import { call, inOrder, plan, planText, reply, says, tasks } from '../support/harness-script.ts';
import { person } from '../support/harness-world.ts';

interface Live {
  started: Started;
  /** Address of the page without its query; ends in "/". */
  url: string;
}

/** The program itself, as another process than the session's. */
async function startLive(h: Harness, ...args: string[]): Promise<Live> {
  const started = start(process.execPath, [program, 'charts', '--live', '--home', h.home, ...args], {
    cwd: h.project,
    env: plainEnv(h.home),
  });
  onTestFinished(() => void started.child.kill('SIGKILL'));
  await started.until(/Ctrl\+C ends it/u);
  return { started, url: /^(http:\S+\/)\?live$/mu.exec(started.out)?.[1] ?? '' };
}

/** What the event stream has told so far. */
function follow(url: string): LiveState[] {
  const states: LiveState[] = [];
  let text = '';
  const asked = get(`${url}events`, (response) => {
    response.setEncoding('utf8').on('data', (piece: string) => {
      const parts = (text + piece).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts)
        if (part.startsWith('data: ')) states.push(LiveState.parse(JSON.parse(part.slice(6))));
    });
    response.on('error', () => undefined);
  });
  asked.on('error', () => undefined);
  onTestFinished(() => void asked.destroy());
  return states;
}

interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

function ask(url: string, options: { method?: string; host?: string } = {}): Promise<Answered> {
  const { method = 'GET', host } = options;
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method, ...(host === undefined ? {} : { headers: { host } }) },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (piece: string) => (body += piece));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

const stateOf = async (url: string): Promise<LiveState> =>
  LiveState.parse(JSON.parse((await ask(`${url}state`)).body));

describe('planchart charts --live', () => {
  it('follows a session of another process within a second, and writes nothing', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const h: Harness = await openHarness({
      script: inOrder(() => [
        reply(plan('init', { mode: 'design', title: 'Split the key' })),
        reply(
          call('write_file', { path: h.session.paths.document, content: planText('Split', 'One.', 'Two.') }),
        ),
        says('Ready.'),
        held.then(() => reply(plan('add_tasks', tasks('One', 'Two')))),
        says('Enough.'),
      ]),
    });
    const { url } = await startLive(h);
    const states = follow(url);
    await until('the first state', () => states.length > 0, 2000);
    expect(states.at(-1)).toMatchObject({ session: h.id, value: ['plan.noPlan', 'turn.idle'], seed: null });
    const shows = (...value: string[]) =>
      until(
        () => `${value.join()} is shown: ${JSON.stringify(states.at(-1)?.value)}`,
        () => states.at(-1)?.value.join() === value.join(),
        1000,
      );
    await h.turn(() => h.chat('Please make a plan.'));
    await shows('plan.editing.postInit', 'turn.idle');
    await h.send({ type: 'user.continue', by: person });
    await until('the refusal', () => states.at(-1)?.lastEvents.at(-1)?.event === 'user.continue', 1000);
    expect(states.at(-1)?.lastEvents.at(-1)).toMatchObject({
      by: 'owner tui',
      verdict: { kind: 'refused', code: 'NOT_APPLICABLE' },
      from: ['plan.editing.postInit', 'turn.idle'],
    });
    await h.execute();
    await shows('plan.active.seeding.building', 'turn.running');
    expect(states.at(-1)?.seed).toMatchObject({ value: 'building', facts: ['2 steps', '0 tasks'] });
    letGo();
    await h.ended(2);
    await shows('plan.active.seedFailed.partial', 'turn.idle');
    const { since, seed, lastEvents } = states.at(-1) ?? (await stateOf(url));
    expect(seed).toMatchObject({ value: 'seedFailed.partial', facts: ['2 steps', '2 tasks'] });
    expect(since).toBe(lastEvents.at(-1)?.at);
    const before = hashes(h.home);
    const count = states.length;
    for (let times = 0; times < 5; times += 1) await stateOf(url);
    expect(hashes(h.home)).toEqual(before);
    expect(states).toHaveLength(count);
  });

  it('is the page at its address, and nothing at any other', async () => {
    const h = await openHarness();
    const { url } = await startLive(h, '--session', h.id);
    const { host, origin, pathname } = new URL(url);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/u);
    const page = await ask(`${url}?live`);
    expect(page).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
      body: expect.stringMatching(/^<!doctype html>/iu),
    });
    expect(page.headers['access-control-allow-origin']).toBe(undefined);
    const wrong = pathname.replace(/^\/./u, (start_) => (start_ === '/x' ? '/y' : '/x'));
    const refused: [string, { method?: string; host?: string }][] = [
      [`${origin}/`, {}],
      [`${origin}${wrong}`, {}],
      [`${origin}${wrong}state`, {}],
      [`${origin}${wrong}events`, {}],
      [`${url}state/`, {}],
      [`${url}../../etc/passwd`, {}],
      [`${url}state`, { method: 'POST' }],
      [`${url}state`, { method: 'OPTIONS' }],
      [`${url}state`, { host: 'evil.example' }],
      [url, { host: `evil.example:${host.split(':')[1]}` }],
      [url, { host: '127.0.0.1:1' }],
    ];
    for (const [address, options] of refused) {
      const { status, body } = await ask(address, options);
      expect({ address, options, status, body }).toEqual({
        address,
        options,
        status: 404,
        body: 'Not found\n',
      });
    }
    expect((await stateOf(url)).session).toBe(h.id);
  });

  it('says what a chat shows of the plan, from the record that the bot keeps', async () => {
    const h = await openHarness();
    const chats = join(h.home, 'planchart', 'telegram', 'chats');
    mkdirSync(chats, { recursive: true });
    const keyboard = { plan: 'p', phase: 'editing', hash: null, buttons: ['approve', 'discard'] };
    const record = {
      v: 1,
      state: 'owned',
      home: 5,
      wish: keyboard,
      shows: { message: 5, keyboard },
      askedUntil: null,
      due: null,
      tries: 0,
      strays: [],
    };
    writeFileSync(join(chats, '1_0.json'), JSON.stringify({ session: 'another', keyboard: record }));
    writeFileSync(join(chats, '2_0.json'), '{');
    const { url } = await startLive(h);
    expect((await stateOf(url)).keyboard).toBe(null);
    writeFileSync(join(chats, '3_0.json'), JSON.stringify({ session: h.id, keyboard: record }));
    expect((await stateOf(url)).keyboard).toEqual({
      value: 'owned',
      since: null,
      facts: ['buttons: approve, discard'],
    });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends at once on %s, while a page watches, with exit code 0',
    async (signal) => {
      const h = await openHarness();
      const { started, url } = await startLive(h);
      const states = follow(url);
      await until('the first state', () => states.length > 0, 2000);
      started.child.kill(signal);
      expect(await started.ended).toMatchObject({ code: 0, signal: null });
    },
  );

  it.each<[name: string, args: string[], line: RegExp]>([
    [
      'a session that there is not',
      ['--session', '3f2b8c1e-6a4d-4f0e-9b7a-2d5c8e1f0a63'],
      /There is no session 3f2b/u,
    ],
    ['a folder without one', ['--cwd', '/'], /There is no session in \/ yet/u],
    ['--out', ['--out', 'x'], /--live does not go with --out/u],
  ])('%s is wrong usage', async (_name, args, line) => {
    const h = await openHarness();
    const ended = await start(process.execPath, [program, 'charts', '--live', '--home', h.home, ...args], {
      cwd: h.project,
      env: plainEnv(h.home),
    }).ended;
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(line);
  });
});
