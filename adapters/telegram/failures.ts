import type { Failure } from './chat-record.ts';
import { join, type Rich, richLength, run } from './html/rich.ts';
import { messageLimits } from './html/split.ts';
import { visibleLine } from '../text.ts';
import type { Wire } from './wire.ts';

export interface FailuresDeps {
  known: () => Failure | null;
  save: (failure: Failure | null) => void;
  /** Epoch ms. */
  now: () => number;
}

/** What did not reach one place (D34): kept on disk for `planchart status`, and told by the next message that lands. */
export class Failures {
  private readonly deps: FailuresDeps;

  constructor(deps: FailuresDeps) {
    this.deps = deps;
  }

  /** null: something has landed. What is lost is kept until it was told, whatever else comes through. */
  note(failure: Pick<Failure, 'text' | 'lost'> | null): void {
    const { known, save, now } = this.deps;
    const before = known();
    if (before?.lost === 'yes' || (failure === null && before === null)) return;
    if (failure === null) save(null);
    else if (before?.text !== failure.text || failure.lost === 'yes')
      save({ at: new Date(now()).toISOString(), ...failure });
  }

  /** The way to Telegram on which a message that has room for it tells what was lost. */
  telling(wire: Wire): Wire {
    return {
      ...wire,
      post: async (place, body, options) => {
        const { known, save } = this.deps;
        const failure = known();
        const told = options.keep === 'droppable' ? null : withNote(body, failure);
        if (told === null || failure === null) return wire.post(place, body, options);
        const result = await wire.post(place, told, options);
        // Another one may have been lost meanwhile.
        if (result.kind === 'sent' && known()?.at === failure.at) save(null);
        return result;
      },
    };
  }
}

/** null: nothing was lost, or the note would make two messages out of one. */
function withNote(body: Rich, failure: Failure | null): Rich | null {
  if (failure?.lost !== 'yes') return null;
  const words = visibleLine(failure.text).slice(0, 200);
  const told = join(
    [body, run(`\u26a0\ufe0f Something was not delivered at ${failure.at.slice(11, 16)} UTC: ${words}`)],
    '\n\n',
  );
  const fits = richLength(body) > messageLimits.units || richLength(told) <= messageLimits.units;
  return fits ? told : null;
}
