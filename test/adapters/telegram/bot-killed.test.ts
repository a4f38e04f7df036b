import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createWorld, start, type Started } from '../../cli/planchart.ts';
import { startBotApi } from '../../support/bot-api/server.ts';
import { until } from '../../support/harness.ts';
import { call, plan, planText, reply, says } from '../../support/harness-script.ts';
import { type Script, startModelServer } from '../../support/model-server.ts';
import { owner, review } from './bot.ts';

const child = fileURLToPath(new URL('bot-child.ts', import.meta.url));
const me = 777_000_001;

/** Plans, then reads a file and thinks without an end. `document` is the session `.md` once there is one. */
const planThenThink =
  (document: () => string): Script =>
  (_, index, gone) => {
    const text = planText('Split the key', 'Split it.', 'Move the readers.');
    if (index === 0) return reply(plan('init', { title: 'Split the key', mode: 'design' }));
    if (index === 2) return reply(call('write_file', { path: document(), content: text }));
    if (index === 3) return says('The plan is ready.');
    if (index < 5) return reply(call('read_file', { path: document() }));
    return new Promise((resolve) => {
      gone?.addEventListener('abort', () => resolve(says('')), { once: true });
    });
  };

it('D37 killed in the middle of a turn: the next program settles it, one keyboard, nothing twice', async () => {
  const world = createWorld();
  const api = await startBotApi();
  api.addChat(owner);
  const document = (): string =>
    join(world.home, globSync('session/.opencrabs_plan_*.md', { cwd: world.home })[0] ?? '');
  const model = await startModelServer(planThenThink(document));
  const begin = (): Started => {
    const args = [child, world.home, world.project, api.apiRoot, api.token, String(owner), model.baseUrl];
    return start(process.execPath, args, { cwd: world.project, env: world.env });
  };
  const first = begin();
  let second: Started | null = null;
  onTestFinished(async () => {
    for (const one of [first, second]) if (one?.child.exitCode === null) one.child.kill('SIGKILL');
    await api.close();
    await model.close();
    world.end();
  });
  const texts = (): string[] =>
    api
      .view(owner)
      .filter(({ from }) => from === me)
      .map(({ text, buttons }) => (buttons.length === 0 ? text : `${text}\n[${buttons.flat().join('|')}]`));
  const sees = (wanted: RegExp): Promise<void> =>
    until(
      () => `${String(wanted)}:\n${texts().join('\n--\n')}`,
      () => texts().some((text) => wanted.test(text)),
    );

  await first.until(/is ready/u);
  api.say(owner, owner, '/plan split the key');
  await sees(/\[✅ Approve\|/u);
  api.say(owner, owner, 'think it over');
  await sees(/^⚙️ .*1 tool call[\s\S]*\[🗑 Discard\]$/u);
  first.child.kill('SIGKILL');
  await first.ended;
  const before = texts();
  const asked = model.requests.length;

  second = begin();
  await second.until(/is ready/u);
  await sees(new RegExp(`^⚠️ Interrupted \\(1 tool call, [\\s\\S]*\\[${review.join('\\|')}\\]$`, 'u'));
  await until('one keyboard', () => texts().filter((text) => /\n\[/u.test(text)).length === 1);
  // The same messages as before, settled; nothing was posted again, and no turn was started again.
  expect(texts()).toHaveLength(before.length);
  expect(texts().filter((text) => text.includes('## Context'))).toHaveLength(1);
  expect(texts().join('\n')).not.toContain('⚙️');
  expect(model.requests).toHaveLength(asked);
  api.press(owner, '🗑 Discard', owner);
  await sees(/\[Discard plan\|Keep\]/u);
});
