import type { FlowEvent } from '../../machines/index.ts';
import type { Published } from '../ports.ts';
import { visibleLine } from '../text.ts';

type Input = FlowEvent extends infer E ? (E extends FlowEvent ? Omit<E, 'now'> : never) : never;

/** Longest thought that the header is given. */
const thoughtUnits = 200;

/**
 * Tells the flow message what one turn does. The last message of a turn is its answer and never part of the log, so each
 * is held until something follows it.
 */
export class TurnLog {
  private held: string | null = null;
  private thinking = '';

  /** Events for the flow message, in order. */
  note(published: Published): Input[] {
    switch (published.type) {
      case 'user':
        // What the harness says in a turn's name is seen like everything else of it (D15).
        if (published.from === 'person') return [];
        return [{ type: 'noticed', about: 'opening', text: visibleLine(published.text) }];
      case 'reasoning':
        this.thinking = (this.thinking + published.text).slice(-thoughtUnits * 4);
        return this.thought();
      case 'message.ended': {
        const before = this.narrated();
        this.held = published.text.trim() === '' ? null : published.text;
        this.thinking = '';
        return before;
      }
      case 'tool.started': {
        const { call, name, summary } = published;
        return [...this.narrated(), { type: 'tool.started', call, name, summary: visibleLine(summary) }];
      }
      case 'tool.progress':
        return [{ type: 'noticed', about: published.call, text: visibleLine(published.text) }];
      case 'tool.ended':
        return [{ type: 'tool.ended', call: published.call, failed: published.failed ? 'yes' : 'no' }];
      default:
        return [];
    }
  }

  /** The turn's answer. */
  get answer(): string | null {
    return this.held;
  }

  private narrated(): Input[] {
    const text = this.held;
    this.held = null;
    return text === null ? [] : [{ type: 'narrated', text, preview: previewOf(text) }];
  }

  private thought(): Input[] {
    const line = visibleLine(this.thinking.trimEnd().split('\n').at(-1) ?? '').slice(-thoughtUnits);
    return line === '' ? [] : [{ type: 'thought', text: line }];
  }
}

/** The first line, unless it is data or code, which says nothing in a header (481, 484). */
function previewOf(text: string): string | null {
  const [first = ''] = text.trim().split('\n', 1);
  const line = visibleLine(first.replace(/^[#>*\-\s]+/u, '').replace(/[*_`]/gu, ''));
  return line === '' || /^(?:[[{<]|```)/u.test(first.trim()) ? null : line;
}
