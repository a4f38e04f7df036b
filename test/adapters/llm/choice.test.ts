import { describe, expect, it } from 'vitest';
import { parseModelChoice } from '../../../adapters/llm/choice.ts';

describe('parseModelChoice', () => {
  it.each([
    ['rehearsal', { kind: 'rehearsal' }],
    ['openai:gpt-x', { kind: 'openai', model: 'gpt-x' }],
    ['  openai:gpt-x ', { kind: 'openai', model: 'gpt-x' }],
    ['openai:llama3:8b', { kind: 'openai', model: 'llama3:8b' }],
    ['openai:org/model-1.5', { kind: 'openai', model: 'org/model-1.5' }],
    ['anthropic:claude-x', { kind: 'anthropic', model: 'claude-x' }],
    ['anthropic: openai:x', { kind: 'anthropic', model: 'openai:x' }],
  ])('D54 reads %j', (text, choice) => {
    expect(parseModelChoice(text)).toEqual(choice);
  });

  it.each([
    ['', 'No model is named. Write openai:<model>, anthropic:<model> or rehearsal.'],
    ['openai:', 'No model name follows "openai:". Write openai:<model>, anthropic:<model> or rehearsal.'],
    [
      'anthropic:',
      'No model name follows "anthropic:". Write openai:<model>, anthropic:<model> or rehearsal.',
    ],
    [
      'Anthropic:x',
      '"Anthropic:x" is not a model choice. Write openai:<model>, anthropic:<model> or rehearsal.',
    ],
    ['openai: ', 'No model name follows "openai:". Write openai:<model>, anthropic:<model> or rehearsal.'],
    ['gpt-x', '"gpt-x" is not a model choice. Write openai:<model>, anthropic:<model> or rehearsal.'],
    [
      'rehearsal:fast',
      '"rehearsal:fast" is not a model choice. Write openai:<model>, anthropic:<model> or rehearsal.',
    ],
    ['openai', '"openai" is not a model choice. Write openai:<model>, anthropic:<model> or rehearsal.'],
    [
      'a\u001b[31mb\nc',
      '"a [31mb c" is not a model choice. Write openai:<model>, anthropic:<model> or rehearsal.',
    ],
  ])('D54 guesses nothing for %j', (text, error) => {
    expect(parseModelChoice(text)).toEqual({ error });
  });

  it('refuses a model name that is two words', () => {
    expect(parseModelChoice('openai:one two')).toEqual({
      error:
        'The model name "one two" holds a space or a control character. Write openai:<model>, anthropic:<model> or rehearsal.',
    });
  });

  it('keeps the error one short line whatever was given', () => {
    const answer = parseModelChoice('x'.repeat(5_000));
    expect('error' in answer && answer.error.length).toBeLessThan(160);
  });
});
