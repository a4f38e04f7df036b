import { describe, expect, it } from 'vitest';
import { parseCommand, type Command } from '../../../adapters/tui/commands.ts';

describe('D26, D51 commands', () => {
  it.each<[string, Command]>([
    ['hello', { kind: 'chat', text: 'hello' }],
    ['/plan', { kind: 'plan', text: null }],
    ['/plan add a toggle', { kind: 'plan', text: 'add a toggle' }],
    ['/plan\nadd a toggle', { kind: 'plan', text: 'add a toggle' }],
    ['/plan\u00a0add a toggle', { kind: 'plan', text: 'add a toggle' }],
    ['  /plan\tadd', { kind: 'plan', text: 'add' }],
    ['/show-plan', { kind: 'show' }],
    ['/show_plan', { kind: 'show' }],
    ['/showplan', { kind: 'show' }],
    ['/execute ', { kind: 'execute' }],
    ['/discard', { kind: 'discard' }],
    ['/stop', { kind: 'stop' }],
    ['/continue', { kind: 'continue' }],
    ['/compact', { kind: 'compact' }],
    ['/help', { kind: 'help' }],
    ['/quit', { kind: 'quit' }],
    ['/exit', { kind: 'quit' }],
    ['/approve', { kind: 'policy' }],
    ['/approve ask', { kind: 'setPolicy', policy: 'ask' }],
    ['/approve yolo', { kind: 'setPolicy', policy: 'yolo' }],
    ['/goal', { kind: 'goal' }],
    ['/goal ship it', { kind: 'setGoal', text: 'ship it' }],
    ['/goal clear', { kind: 'setGoal', text: null }],
    ['/model', { kind: 'model' }],
    ['/model openai:a:b', { kind: 'useModel', name: 'openai:a:b' }],
    ['/usr/bin/env is missing', { kind: 'chat', text: '/usr/bin/env is missing' }],
    ['/etc/ what is in it?', { kind: 'chat', text: '/etc/ what is in it?' }],
  ])('reads %j', (line, wanted) => {
    expect(parseCommand(line, 'fixed')).toEqual(wanted);
  });

  it.each(['/planx', '/Plan', '/executes', '/toString', '/', '/new', '/session abc'])(
    'has no %s of its own, so it may be a file of the user',
    (line) => {
      const [name] = line.split(' ');
      expect(parseCommand(`  ${line} `, 'fixed')).toEqual({ kind: 'own', name, text: line });
    },
  );

  it.each(['/discard the last step', '/execute now', '/stop it'])('does nothing on %s', (line) => {
    expect(parseCommand(line, 'fixed')).toMatchObject({
      kind: 'usage',
      text: expect.stringContaining('takes no text'),
    });
  });

  it('says on a wrong policy how plans are approved', () => {
    expect(parseCommand('/approve plan', 'fixed')).toMatchObject({
      text: expect.stringContaining('/execute'),
    });
  });

  it('switches sessions only where the program can', () => {
    expect(parseCommand('/new', 'switchable')).toEqual({ kind: 'new' });
    expect(parseCommand('/session abc', 'switchable')).toEqual({ kind: 'session', id: 'abc' });
  });
});
