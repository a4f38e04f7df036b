import { describe, expect, it } from 'vitest';
import { readInput } from '../../tools/registry.ts';
import type { AgentReport } from '../../tools/types.ts';
import { toolNamed, world } from './world.ts';

const tool = toolNamed('spawn_agent');
const report = (fields: Partial<AgentReport>): AgentReport => ({
  name: 'sub-agent 1, general',
  outcome: 'done',
  cause: null,
  text: 'The report.',
  calls: 1,
  ...fields,
});
const answering = (fields: Partial<AgentReport>) => world({}, { spawn: async () => report(fields) });
const order = { agent_type: 'general', prompt: 'do it' };

describe('D42 spawn_agent', () => {
  it.each([
    ['architect', 'architect', 'spawnArchitect'],
    ['plan', 'architect', 'spawnArchitect'],
    ['design', 'architect', 'spawnArchitect'],
    ['general', 'general', 'spawnOther'],
  ] as const)('%s is the type %s, of class %s', async (agent_type, kind, name) => {
    const { call, ordered } = world();
    const result = await call('spawn_agent', { agent_type, prompt: 'look around' });
    expect(ordered).toEqual([{ kind, prompt: 'look around' }]);
    expect(result).toEqual({ text: `The report.\n\n[sub-agent 1, ${kind}: 2 tool calls]` });
    expect(tool.classOf?.({ agent_type, prompt: 'look' })).toBe(name);
    expect(tool.summary({ agent_type, prompt: 'look\naround' })).toBe(`${kind}: look around`);
    expect(await tool.preview({ agent_type, prompt: 'x' }, {} as never)).toEqual({
      title: `Start a sub-agent (${kind})`,
      body: 'x',
    });
  });

  it.each(['full', 'Architect', 'architect ', 'admin', 'toString', '', undefined, null, 7, ['general']])(
    'the type %j is refused, never widened',
    (agent_type) => {
      expect(readInput(tool, { agent_type, prompt: 'x' })).toEqual({
        text: expect.stringContaining('- agent_type: ') as string,
      });
    },
  );

  it('an empty prompt starts nothing', async () => {
    const { call, ordered } = world();
    const result = await call('spawn_agent', { ...order, prompt: ' \n' });
    expect(result).toEqual({ text: 'The prompt is empty. No sub-agent was started.', failed: true });
    expect(ordered).toEqual([]);
  });

  it('the report is bounded, and says where it was cut', async () => {
    const long = await answering({ text: `${'ä'.repeat(19_999)}😀end` }).call('spawn_agent', order);
    expect(long.text.length).toBeLessThan(20_200);
    expect(long.text).toContain('… [4 more]\n\n[sub-agent 1, general: 1 tool call]');
    expect(long.text.isWellFormed()).toBe(true);
    const whole = await answering({ text: 'x'.repeat(20_000) }).call('spawn_agent', order);
    expect(whole.text).not.toContain('more]');
  });

  it('one that says nothing, fails or is cancelled is told as such', async () => {
    expect((await answering({ text: ' ' }).call('spawn_agent', order)).text).toMatch(
      /^It reported nothing\./,
    );
    expect(await answering({ outcome: 'failed', cause: 'No network' }).call('spawn_agent', order)).toEqual({
      text:
        'The sub-agent did not finish: No network. What its calls did so far stands.\n' +
        'It said last:\nThe report.\n\n[sub-agent 1, general: 1 tool call]',
      failed: true,
    });
    const cancelled = await answering({ outcome: 'cancelled', text: '' }).call('spawn_agent', order);
    expect(cancelled).toMatchObject({
      failed: true,
      text: expect.stringMatching(/the turn was cancelled\. What its calls did so far stands\.\n\n\[/),
    });
  });
});
