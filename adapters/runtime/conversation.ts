import type { ModelCall, ModelMessage, TranscriptEntry } from '../ports.ts';

const notRun = 'Not run: the program ended before the question about this call was answered.';
const inPart =
  'Interrupted: the program ended while this call ran. It may have run in part; look before you repeat it.';

/**
 * The transcript as the model sees it. A call that has no result gets one (D37): whether it was
 * started tells whether it may have run in part. Nothing is asked or run again.
 */
export function toMessages(entries: readonly TranscriptEntry[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  let open: readonly ModelCall[] = [];
  const started = new Set<string>();
  const answered = new Set<string>();
  const close = (): void => {
    for (const call of open) {
      if (answered.has(call.id)) continue;
      const text = started.has(call.id) ? inPart : notRun;
      messages.push({ role: 'tool', call: call.id, name: call.name, text, failed: true });
    }
    open = [];
  };
  for (const entry of entries) {
    switch (entry.type) {
      case 'user':
        close();
        messages.push({ role: 'user', text: entry.text });
        break;
      case 'assistant':
        close();
        // Ids need to be told apart within one response only; some models count from one in each.
        started.clear();
        answered.clear();
        if (entry.text === '' && entry.calls.length === 0) break;
        messages.push({ role: 'assistant', text: entry.text, calls: entry.calls });
        open = entry.calls;
        break;
      case 'tool.started':
        started.add(entry.call);
        break;
      case 'tool':
        // A result without its call would be refused by every provider.
        if (!open.some((call) => call.id === entry.call) || answered.has(entry.call)) break;
        answered.add(entry.call);
        messages.push({
          role: 'tool',
          call: entry.call,
          name: entry.name,
          text: entry.text,
          failed: entry.failed,
        });
        break;
      case 'notice':
      case 'turn.ended':
        break;
    }
  }
  close();
  return messages;
}
