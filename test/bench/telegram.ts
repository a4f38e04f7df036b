import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import { chatWorld, type PlayedChat, said, toolEnded, toolStarted } from '../adapters/telegram/chat-world.ts';
import { type BotApi, startBotApi } from '../support/bot-api/server.ts';
import { checklistView } from '../support/fake-handle.ts';
import { call, reply } from '../support/harness-script.ts';
import { type Script, startModelServer } from '../support/model-server.ts';
import { makeFolder } from './floor.ts';
import { interleave, median, quantile, timed } from './measure.ts';
import { program } from './processes.ts';
import { type Row, rowOfPairs } from './table.ts';

const turn = 'turn-1';
const owner = 1_000;
/** How long a press or a message is waited for, in ms. */
const patience = 60_000;

/** What a chat costs in calls and processor time on a clock of its own, and a real bot under many chats. */
export async function measureTelegram(folder: string, chats: number): Promise<Row[]> {
  return [...(await callRows()), await tickRow(chats > 50 ? 60 : 5), ...(await botRows(folder, chats))];
}

const row = (name: string, unit: Row['unit'], ours: number, goal: Row['goal'], note: string): Row => ({
  name,
  unit,
  ours,
  floor: null,
  goal,
  note,
});

/** A turn of a minute with a tool every three seconds, then a minute in which nothing happens. */
async function callRows(): Promise<Row[]> {
  const world = chatWorld();
  const chat = world.open(owner);
  chat.begin(turn, checklistView(7, 2, { plan: 'p1' }));
  for (let step = 0; step < 20; step += 1) {
    await world.advance(500);
    chat.say(said(turn, `I do step ${step}.`), toolStarted(turn, `c${step}`));
    await world.advance(2_500);
    chat.say(toolEnded(turn, `c${step}`));
  }
  chat.say(said(turn, 'Done.'));
  chat.end(turn);
  await world.advance(10_000);
  const worked = world.calls.length;
  await world.advance(60_000);
  const clock = 'on a clock of its own, calls as the local Bot API server counts them';
  return [
    row(
      'telegram, a turn of 60 s',
      'calls',
      worked,
      { of: 'value', most: 50 },
      `20 tools, answer included; ${clock}`,
    ),
    row(
      'telegram, an idle minute',
      'calls',
      world.calls.length - worked,
      { of: 'value', most: 0 },
      `a checklist with buttons is shown; ${clock}`,
    ),
  ];
}

/** A chat whose turn has done so many tools; each tick of it draws its message anew. */
async function worked(tools: number): Promise<{ chat: PlayedChat; advance: (ms: number) => Promise<void> }> {
  const world = chatWorld();
  const chat = world.open(owner);
  chat.begin(turn, checklistView(7, 2, { plan: 'p1' }));
  for (let step = 0; step < tools; step += 1) {
    chat.say(toolStarted(turn, `c${step}`, 'read_file', `src/file-${step}.ts`), toolEnded(turn, `c${step}`));
    if (step % 20 === 19) await world.advance(1_500);
  }
  await world.advance(30_000);
  return { chat, advance: (ms) => world.advance(ms) };
}

async function tickRow(rounds: number): Promise<Row> {
  const [many, few] = [await worked(500), await worked(20)];
  const ticks = ({ advance }: typeof many) => timed(() => advance(15_000));
  const { ours, floor } = await interleave(rounds, { ours: () => ticks(many), floor: () => ticks(few) });
  const note = 'ten ticks that each edit the message, beside a log of 20 tools';
  return rowOfPairs(
    { name: 'telegram, ticks of 500 tools', unit: 'ms', goal: { of: 'ratio', most: 2 }, note },
    ours,
    floor,
  );
}

/** Reads a file, then thinks without an end: every chat has a turn that runs. */
const busy: Script = ({ messages }, _, gone) => {
  if (messages.at(-1)?.role !== 'tool') return reply(call('read_file', { path: 'a.ts' }));
  return new Promise((resolve) => {
    gone?.addEventListener('abort', () => resolve({ text: '' }), { once: true });
  });
};

/** `planchart bot` as people start it, with a model of the bench. */
async function startBot(api: BotApi, folder: string, people: readonly number[]) {
  const [home = '', project = ''] = ['home', 'project'].map((name) => makeFolder(join(folder, name)));
  writeFileSync(join(project, 'a.ts'), 'export const a = 1;\n');
  const model = await startModelServer(busy);
  const program_ = spawn(process.execPath, [program, 'bot', '--home', home, '--model', 'openai:busy'], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      OPENAI_BASE_URL: model.baseUrl,
      TELEGRAM_BOT_TOKEN: api.token,
      TELEGRAM_API_ROOT: api.apiRoot,
      TELEGRAM_OWNER_ID: String(owner),
      TELEGRAM_ALLOWED_IDS: people.join(),
    },
  });
  let said = '';
  program_.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await until(
    () => `the bot is ready: ${said}`,
    () => said.includes('is ready.'),
  );
  return {
    /** Bytes, as the kernel sees them; Linux only. */
    resident: () =>
      Number(/^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${program_.pid}/status`, 'utf8'))?.[1]) * 1024,
    end: async () => {
      program_.kill('SIGTERM');
      const late = pause(20_000, 'late', { ref: false });
      if ((await Promise.race([once(program_, 'close'), late])) === 'late') program_.kill('SIGKILL');
      await model.close();
    },
  };
}

async function until(what: () => string, holds: () => boolean): Promise<void> {
  const end = performance.now() + patience;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Not in ${patience} ms: ${what()}`);
    await breathe();
  }
}

/** From a press to its answer, in ms: through the poll, the bot, and what the session says to it. */
async function pressed(api: BotApi, data: string, message: number): Promise<number> {
  const from = performance.now();
  const id = api.press(owner, data, owner, message);
  await until(
    () => 'an answer',
    () => api.queries.find((query) => query.id === id)?.state === 'answered',
  );
  return performance.now() - from;
}

/** One call and its answer, nothing else. */
const roundTrip = (api: BotApi): Promise<number> =>
  timed(async () => (await fetch(`${api.apiRoot}/bot${api.token}/getMe`)).text());

/** A message with buttons whose presses ask the session; answers the data of one, and the message. */
async function withButtons(api: BotApi): Promise<{ data: string; message: number }> {
  api.say(owner, owner, '/approve yolo');
  const found = (): string | undefined =>
    /yolo:on:[^"]+/u.exec(JSON.stringify(api.calls.map(({ payload }) => payload['reply_markup'])))?.[0];
  await until(
    () => 'buttons',
    () => found() !== undefined && api.view(owner).some(({ buttons }) => buttons.length > 0),
  );
  const message = api.view(owner).findLast(({ buttons }) => buttons.length > 0)?.id ?? 0;
  return { data: found() ?? '', message };
}

async function botRows(folder: string, chats: number): Promise<Row[]> {
  const api = await startBotApi();
  const people = Array.from({ length: chats + 1 }, (_, index) => owner + index);
  for (const id of people) api.addChat(id);
  const bot = await startBot(api, folder, people);
  try {
    const { data, message } = await withButtons(api);
    const rounds = chats > 50 ? 100 : 5;
    const idle = await interleave(rounds, {
      ours: () => pressed(api, data, message),
      floor: () => roundTrip(api),
    });
    for (const id of people.slice(1)) api.say(id, id, 'look at a.ts');
    await until(
      () => 'all turns',
      () => people.slice(1).every((id) => api.view(id).some(({ text }) => text.startsWith('⚙️'))),
    );
    await pause(chats > 50 ? 5_000 : 100);
    const loaded = await interleave(rounds, {
      ours: () => pressed(api, data, message),
      floor: () => roundTrip(api),
    });
    const memory = process.platform === 'linux' ? [memoryRow(bot.resident(), chats)] : [];
    return [...pressRows(idle, loaded, chats), ...memory];
  } finally {
    await bot.end();
    await api.close();
  }
}

type Pairs = { ours: number[]; floor: number[] };

function pressRows(idle: Pairs, loaded: Pairs, chats: number): Row[] {
  const trip = median(idle.floor);
  const of = (name: string, { ours, floor }: Pairs, goal: Row['goal'], words: string): Row => ({
    ...row(name, 'ms', median(ours), goal, words),
    floor: median(floor),
  });
  const slow = (pairs: Pairs): string => `95 % within ${quantile(pairs.ours, 0.95).toFixed(0)} ms`;
  const what =
    'median from press to answer, a press that asks the session; floor: one round trip of the local server';
  return [
    of('telegram, press', idle, { of: 'value', most: Math.round(50 + trip) }, `${what}; ${slow(idle)}`),
    of(
      `telegram, press, ${chats} turns run`,
      loaded,
      null,
      `the same while the bot works for all of them; ${slow(loaded)}`,
    ),
  ];
}

const memoryRow = (bytes: number, chats: number): Row =>
  row(
    `telegram, memory, ${chats} chats`,
    'MB',
    bytes / 1e6,
    { of: 'value', most: 400 },
    'resident, each chat with a session of its own and a running turn',
  );
