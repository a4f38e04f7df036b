import { z } from 'zod';
import { failed, oneLine } from './text.ts';
import type { Tool } from './types.ts';

const input = z.object({
  question: z.string(),
  options: z.array(z.string()).optional().describe('Answers to choose from; free text is always possible'),
});

export const followUpQuestion: Tool<z.infer<typeof input>> = {
  name: 'follow_up_question',
  class: 'question',
  description:
    'Ask the user one question and wait for the answer. Not for approval of a SESSION PLAN: ' +
    'end the turn for that.',
  input,
  asks: () => false,
  summary: ({ question }) => oneLine(question),
  preview: async ({ question }) => ({ title: 'Ask', body: question }),
  async run({ question, options = [] }, context) {
    if (question.trim() === '') return failed('The question is empty. Nothing was asked.');
    const answer = await context.ask(question, options);
    return answer === null ? failed('The turn was cancelled before the user answered.') : { text: answer };
  },
};
