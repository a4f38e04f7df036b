import { describe, expect, it } from 'vitest';
import type { Prompt, PromptAnswer } from '../../../adapters/ports.ts';
import type { Rich } from '../../../adapters/telegram/html/rich.ts';
import { plainText } from '../../../adapters/telegram/html/rich.ts';
import { Prompts } from '../../../adapters/telegram/prompts.ts';
import { until } from '../../support/harness.ts';
import { call, inOrder, plan, planText, reply, says } from '../../support/harness-script.ts';
import { friend, openBot, owner, review, type TestBot } from './bot.ts';

describe('D46 a long plan', () => {
  it('comes as a file, and is approved from the message below it (B130)', { timeout: 40_000 }, async () => {
    const steps = Array.from(
      { length: 320 },
      (_, index) => `Step ${index + 1}: edit \`src/f${index + 1}.ts\`.`,
    );
    const text = planText('Split the key', ...steps);
    const bot: TestBot = await openBot({
      script: inOrder(() => [
        reply(plan('init', { title: 'Split the key', mode: 'design' })),
        () => reply(call('read_file', { path: bot.sessions[0]?.paths.document })),
        () => reply(call('write_file', { path: bot.sessions[0]?.paths.document, content: text })),
        says('The plan is ready.'),
        says('No tasks yet.'),
      ]),
    });
    bot.say('/plan split the key');
    await bot.buttons(review);
    const file = () => bot.api.view(owner).find(({ document }) => document !== null);
    await until(
      () => `the buttons stand below the file\n${bot.texts().join('\n--\n')}`,
      () =>
        bot.api.view(owner).some(({ id, buttons }) => buttons.length > 0 && id > (file()?.id ?? Infinity)),
    );
    expect(file()?.document).toEqual({ name: 'session-plan.md', text });
    const message = await bot.buttons(review);
    expect((await bot.press('✅ Approve', owner, message)).text).toMatch(/^Approved\./u);
  });
});

describe('D2 yolo', () => {
  it('needs a second press, by the owner', { timeout: 30_000 }, async () => {
    const bot = await openBot();
    bot.say('/approve yolo');
    await bot.buttons(['Yes, yolo', 'Keep asking']);
    expect(bot.view().policy).toBe('ask');
    expect((await bot.press('Yes, yolo', friend)).text).toMatch(/^Only the owner/u);
    expect(bot.view().policy).toBe('ask');
    await bot.press('Yes, yolo');
    expect(bot.view().policy).toBe('yolo');
    await until('dead buttons', () => bot.api.view(owner).every(({ buttons }) => buttons.length === 0));
    bot.say('/approve ask');
    await until('asks again', () => bot.view().policy === 'ask');
  });
});

describe('/new', () => {
  it('gives the chat another session, and the old buttons go', { timeout: 30_000 }, async () => {
    const bot: TestBot = await openBot({
      script: inOrder(() => [
        reply(plan('init', { title: 'Split the key', mode: 'design' })),
        () => reply(call('read_file', { path: bot.sessions[0]?.paths.document })),
        () =>
          reply(
            call('write_file', {
              path: bot.sessions[0]?.paths.document,
              content: planText('Split the key', 'Split it.'),
            }),
          ),
        says('The plan is ready.'),
        says('Hello.'),
      ]),
    });
    bot.say('/plan split the key');
    await bot.buttons(review);
    bot.say('/new');
    await bot.sees(/^A new session in /u);
    await until('no buttons', () => bot.api.view(owner).every(({ buttons }) => buttons.length === 0));
    bot.say('hello');
    await bot.sees(/^Hello\.$/u);
    expect(bot.view(1)).toMatchObject({ phase: 'noPlan' });
  });
});

describe('0064 a tool approval that nobody answers', () => {
  it('is a No after 15 minutes, and its buttons are dead', async () => {
    const clock = { now: 0 };
    const answers: PromptAnswer[] = [];
    const edits: string[] = [];
    const prompts = new Prompts([], {
      place: { chat: owner, topic: null },
      now: () => clock.now,
      save: () => undefined,
      posted: () => undefined,
      answer: (id, answer) => {
        answers.push(answer);
        queueMicrotask(() => prompts.closed(id, 'answered'));
        return true;
      },
      wire: {
        post: async () => ({ kind: 'sent', messages: [5] }),
        edit: async (_place: object, message: number, body: Rich, keyboard) => {
          edits.push(`${message} ${keyboard.inline_keyboard.length} ${plainText(body)}`);
          return { kind: 'sent', messages: [] };
        },
      },
    });
    const prompt: Prompt = {
      id: '5cb4e468-0c3a-4854-be4c-e1af0100acf0',
      kind: 'approval',
      tool: 'bash',
      title: 'Run a command',
      body: 'rm x',
      folder: '/p',
      sandbox: null,
    };
    await prompts.ask(prompt);
    clock.now = 15 * 60_000 - 1;
    prompts.tick();
    expect(answers).toEqual([]);
    clock.now += 1;
    prompts.tick();
    await until('it is said', () => edits.length > 0);
    expect(answers).toEqual([{ kind: 'approval', allow: 'no' }]);
    expect(edits).toEqual([expect.stringMatching(/^5 0 [\s\S]*⏱ Nobody answered in time: not allowed\.$/u)]);
    const late = prompts.press('approve:y:5cb4e4680c3a4854be4ce1af0100acf0', { rank: 'owner', name: 'O' });
    expect(late).toBe('This question is not open any more.');
  });
});
