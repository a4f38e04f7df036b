import { describe, expect, it } from 'vitest';
import { menu, parseCommand } from '../../../adapters/telegram/commands.ts';

const parse = (text: string, at = 0) => {
  const word = /^\/[a-z0-9_]+(?:@\w+)?/iu.exec(text.slice(at))?.[0] ?? '';
  return parseCommand(text, [{ type: 'bot_command', offset: at, length: word.length }], 'Planchart_Bot');
};

describe('B122 commands of this bot', () => {
  it.each<[string, object]>([
    ['/plan', { kind: 'plan', text: null }],
    ['/plan split the key', { kind: 'plan', text: 'split the key' }],
    ['/plan\nsplit\nthe key', { kind: 'plan', text: 'split\nthe key' }],
    ['/plan@planchart_bot x', { kind: 'plan', text: 'x' }],
    ['/PLAN@Planchart_BOT x', { kind: 'plan', text: 'x' }],
    ['/plan@other_bot x', { kind: 'foreign' }],
    ['/planet', { kind: 'unknown', name: 'planet' }],
    ['/show_plan', { kind: 'show_plan' }],
    ['/show-plan', { kind: 'show_plan' }],
    ['/execute', { kind: 'execute' }],
    ['/execute now', { kind: 'usage', text: '/execute takes no text. Nothing was done.' }],
    ['/discard the last step', { kind: 'usage', text: '/discard takes no text. Nothing was done.' }],
    ['/approve yolo', { kind: 'approve', policy: 'yolo' }],
    ['/approve it', { kind: 'usage', text: expect.stringContaining('/execute') as string }],
    ['/sessions 2', { kind: 'sessions', pick: '2' }],
    ['/start abc', { kind: 'start' }],
  ])('%s', (text, command) => {
    expect(parse(text)).toEqual(command);
  });

  it('is text without the mark of Telegram, or with it further on', () => {
    expect(parseCommand('/plan x', [], 'planchart_bot')).toEqual({ kind: 'chat', text: '/plan x' });
    expect(parse('hello /plan', 6)).toEqual({ kind: 'chat', text: 'hello /plan' });
  });

  it('D51 the menu has every command, in letters that Telegram takes', () => {
    for (const { command } of menu) expect(command).toMatch(/^[a-z0-9_]{1,32}$/u);
    for (const name of [
      'plan',
      'show_plan',
      'execute',
      'discard',
      'help',
      'new',
      'stop',
      'status',
      'sessions',
    ])
      expect(menu.map(({ command }) => command)).toContain(name);
  });
});
