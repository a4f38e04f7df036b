import { z } from 'zod';
import { editableText } from './editable-text.ts';
import { editLines } from './hashline-text.ts';
import { editPreview } from './preview.ts';
import { counted, failed, notWritten, sentence, targetOf } from './text.ts';
import type { Tool, ToolContext } from './types.ts';

const edit = z.object({
  line: z.coerce
    .number()
    .int()
    .min(0)
    .describe('Number of the line as read; 0 with insert_after: the beginning'),
  hash: z.string().describe('Hash of the line as read; empty for line 0'),
  new_text: z.string().optional().describe('Takes the place of the line; may be several lines'),
  delete: z.boolean().optional(),
  insert_after: z.string().optional().describe('New lines behind the line'),
});

const input = z.object({
  path: z.string().describe('Absolute, relative to the working directory, or ~/…'),
  edits: z
    .array(edit)
    .describe('All with the numbers as read; exactly one of new_text, delete, insert_after each'),
});
type Input = z.infer<typeof input>;

export const hashlineEdit: Tool<Input> = {
  name: 'hashline_edit',
  class: 'projectWrite',
  classes: ['sessionPlan'],
  description:
    'Edit lines of a file by number and content hash, as read_file with hashes: true shows them. ' +
    'All edits are made or, if one line is not what was read, none.',
  input,
  target: ({ path }) => ({ path, access: 'write' }),
  asks: () => true,
  summary: ({ path, edits }) => `${path} (${counted(edits.length, 'edit')})`,
  async preview(asked, context) {
    return editPreview(targetOf(context).path, await changeOf(asked, context));
  },
  async run(asked, context) {
    const target = targetOf(context);
    const change = await changeOf(asked, context);
    if ('cause' in change) {
      return failed(
        `${target.path} was not changed: ${sentence(change.cause)}\nRead the lines again with hashes: true.`,
      );
    }
    const written = await context.files.write(target, change.text);
    if ('cause' in written) return notWritten(written);
    const done = `Edited ${target.path}: ${counted(asked.edits.length, 'edit')}. Line numbers behind them may have changed.`;
    return { text: [done, ...written.notes].join('\n') };
  },
};

async function changeOf(
  { edits }: Input,
  context: ToolContext,
): Promise<{ before: string; text: string } | { cause: string }> {
  const found = await editableText(context);
  if ('cause' in found) return found;
  const edited = editLines(found.text, edits);
  return 'cause' in edited ? edited : { before: found.text, text: edited.text };
}
