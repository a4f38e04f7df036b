import { z } from 'zod';
import { editText, type Edited } from './edit-text.ts';
import { editableText } from './editable-text.ts';
import { editPreview } from './preview.ts';
import { counted, failed, notWritten, sentence, targetOf } from './text.ts';
import type { Tool, ToolContext } from './types.ts';

const input = z.object({
  path: z.string().describe('Absolute, relative to the working directory, or ~/…'),
  old_text: z.string().describe('Exact piece of the file, without line numbers; it has to occur once'),
  new_text: z.string().describe('What takes its place'),
  all: z.boolean().optional().describe('Replace every occurrence'),
});
type Input = z.infer<typeof input>;

export const editFile: Tool<Input> = {
  name: 'edit_file',
  class: 'projectWrite',
  classes: ['sessionPlan'],
  description: 'Replace an exact piece of text in a file. Read the file first.',
  input,
  target: ({ path }) => ({ path, access: 'write' }),
  asks: () => true,
  summary: ({ path }) => path,
  async preview(asked, context) {
    return editPreview(targetOf(context).path, await changeOf(asked, context));
  },
  async run(asked, context) {
    const target = targetOf(context);
    const change = await changeOf(asked, context);
    if ('cause' in change) return failed(`${target.path} was not changed: ${sentence(change.cause)}`);
    const written = await context.files.write(target, change.text);
    if ('cause' in written) return notWritten(written);
    const { lines } = change;
    const where = lines.length === 1 ? `at line ${lines[0]}` : `first at line ${lines[0]}`;
    const done = `Edited ${target.path}: ${counted(lines.length, 'replacement')}, ${where}.`;
    return { text: [done, ...written.notes].join('\n') };
  },
};

async function changeOf(
  asked: Input,
  context: ToolContext,
): Promise<(Edited & { before: string }) | { cause: string }> {
  const found = await editableText(context);
  if ('cause' in found) return found;
  const edited = editText(found.text, asked);
  return 'cause' in edited ? edited : { ...edited, before: found.text };
}
