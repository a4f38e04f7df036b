import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  callbackOf,
  desiredKeyboard,
  encodeCallback,
  keyboardStep,
  parseCallback,
  phaseOf,
  type PlanKeyboard,
  type Said,
  saidByPress,
  select,
  type SessionSnapshot,
  turnOf,
  verdict,
} from '../../machines/index.ts';
import { explore } from '../support/explore.ts';
import {
  answer,
  canonical,
  type Chat,
  chatFaults,
  chatKey,
  chatMoves,
  commit,
  commitsOf,
  emptyChat,
  isSettled,
  post,
  remove,
  restart,
  rowIn,
  see,
  tell,
} from '../support/explore-keyboard.ts';
import { movesAt } from '../support/explore-moves.ts';
import { hashOf, owner, stampOf, texts } from '../support/samples.ts';
import { pressed } from '../support/samples-keyboard.ts';

const seed = Date.now() % 0x7fff_ffff;
console.log(`keyboard-product: seed ${seed}`);

const places = explore(movesAt);
const commits = commitsOf(places);

/** A chat that shows `keyboard`, and every button of it pressed by the owner. */
function pressEach(keyboard: PlanKeyboard): Said[] {
  const [home] = keyboardStep(keyboardStep(null, null)[0], { type: 'home', message: 55 });
  const [attaching] = keyboardStep(home, { type: 'want', keyboard });
  return [...keyboard.buttons, 'confirm' as const].flatMap((button) => {
    const [, effects] = keyboardStep(attaching, pressed(button, 55, { keyboard }));
    const act = effects.find((effect) => effect.type === 'press.act');
    const said = act === undefined ? null : saidByPress(act, owner);
    return said === null ? [] : [said];
  });
}

const approves = ['approve', 'retry', 'approveText'] as const;
const approving = (keyboard: PlanKeyboard | null): boolean =>
  keyboard?.buttons.some((button) => approves.some((one) => one === button)) === true;

describe('every reachable state of a session × the keyboard it asks for', () => {
  const faultsOf = (snapshot: SessionSnapshot): string[] => {
    const keyboard = desiredKeyboard(select(snapshot));
    const [phase, turn] = [phaseOf(snapshot), turnOf(snapshot)];
    const faults: string[] = [];
    const never = (holds: boolean, text: string): void => {
      if (holds) faults.push(`${phase} ${turn}: ${text}`);
    };
    const without = ['noPlan', 'preInit', 'unreadable'].includes(phase) || turn === 'discarding';
    never(
      without !== (keyboard === null),
      'none where there is none to offer, and one everywhere else (D31)',
    );
    never(approving(keyboard) && turn !== 'idle', 'Approve while a turn runs');
    never(keyboard?.buttons.includes('approve') === true && phase !== 'postInit', 'Approve outside a review');
    never(phase === 'postInit' && turn === 'idle' && !approving(keyboard), 'a review without Approve');
    never(keyboard !== null && keyboard.plan !== snapshot.context.plan?.id, 'another plan');
    never(keyboard !== null && !keyboard.buttons.includes('discard'), 'no Discard');
    return faults;
  };

  it('keeps to D31', () => {
    expect(places.length).toBeGreaterThan(200);
    expect(places.flatMap(({ world }) => faultsOf(world.snapshot))).toEqual([]);
    expect(new Set(places.map(rowIn)).size).toBeGreaterThan(7);
  });
});

describe('every reachable state of a session × a press of any keyboard that a message may still show', () => {
  const drawn = [
    ...new Map(places.map((place) => [rowIn(place), desiredKeyboard(select(place.world.snapshot))])).values(),
  ];
  const rows = drawn.filter((keyboard) => keyboard !== null);

  /** The keyboards of any time, for this plan or another one, for this text or another one. */
  const keyboardsFor = ({ context }: SessionSnapshot): PlanKeyboard[] => {
    const plans = [context.plan?.id ?? 'none', '99999999-9999-4999-8999-999999999999'];
    const hashes = [context.document?.hash ?? null, hashOf(texts.changed), hashOf('never seen'), null];
    return rows.flatMap((row) =>
      plans.flatMap((plan) => (row.hash === null ? [null] : hashes).map((hash) => ({ ...row, plan, hash }))),
    );
  };

  const known = new Map<string, readonly Said[]>();

  /** What a chat that shows `keyboard` says to the session when each button of it is pressed. */
  const saysOf = (keyboard: PlanKeyboard): readonly Said[] => {
    const key = JSON.stringify(keyboard);
    const said = known.get(key) ?? pressEach(keyboard);
    known.set(key, said);
    return said;
  };

  const accepted = new Set<string>();

  const faultsOf = (snapshot: SessionSnapshot): string[] => {
    const { plan, document } = snapshot.context;
    return keyboardsFor(snapshot).flatMap((keyboard) =>
      saysOf(keyboard).flatMap((said) => {
        const { kind } = verdict(snapshot, { ...said, ...stampOf(9) });
        if (kind !== 'accepted') return [];
        accepted.add(said.type);
        const name = `${phaseOf(snapshot)} ${turnOf(snapshot)}: ${said.type} by ${keyboard.buttons.join(' ')}`;
        const faults = keyboard.plan === plan?.id ? [] : [`${name}: for another plan`];
        const byText = said.type !== 'user.discard' && said.type !== 'user.continue';
        if (byText && keyboard.hash !== (document?.hash ?? null)) faults.push(`${name}: for another text`);
        const starts = said.type === 'user.execute' || said.type === 'user.approveText';
        if (starts && turnOf(snapshot) !== 'idle') faults.push(`${name}: while a turn runs`);
        return faults;
      }),
    );
  };

  it('acts on the plan and the text that it was drawn for, or not at all', () => {
    expect(rows.length).toBeGreaterThan(5);
    expect(places.flatMap(({ world }) => faultsOf(world.snapshot))).toEqual([]);
    const acts = ['user.approveText', 'user.discard', 'user.execute', 'user.restore'];
    expect([...accepted].toSorted()).toEqual(expect.arrayContaining(acts));
  });

  it('two fast presses act once (B59)', () => {
    const twice = places.flatMap(({ name, world: { snapshot }, edges }) => {
      const keyboard = desiredKeyboard(select(snapshot));
      if (keyboard === null) return [];
      return saysOf(keyboard).flatMap((said) => {
        if (verdict(snapshot, { ...said, ...stampOf(9) }).kind !== 'accepted') return [];
        const edge = edges.find(
          ({ move }) => 'said' in move && move.said.type === said.type && move.name.endsWith('by its button'),
        );
        const after = edge?.next.snapshot;
        if (after === undefined) return [`${name}: no edge for ${said.type}`];
        const again = verdict(after, { ...said, ...stampOf(9) }).kind;
        return again === 'accepted' ? [`${name}: ${said.type} acts twice`] : [];
      });
    });
    expect(twice).toEqual([]);
  });

  it('data of a button names nothing else', () => {
    for (const keyboard of rows) {
      const data = keyboard.buttons.map((button) => encodeCallback(callbackOf[button], keyboard));
      expect(new Set(data).size).toBe(data.length);
      expect(data.map((one) => parseCallback(one)?.action)).toEqual(
        keyboard.buttons.map((b) => callbackOf[b]),
      );
    }
  });
});

describe('session × keyboard × what Telegram does with the edits', () => {
  // One row of each kind: the machine only tells equal keyboards from others. The random walk below has all of them.
  const rows = ['', 'editing: approve revise discard', 'editing: discard', 'active: discard'];
  const some = commits.filter(({ from, to }) => rows.includes(from) && rows.includes(to));

  it('one message at most has it, and once nothing is on its way, that message has the right one', () => {
    const waiting = [canonical(emptyChat)];
    const seen = new Set(waiting.map(chatKey));
    const faults: string[] = [];
    for (let chat = waiting.shift(); chat !== undefined; chat = waiting.shift()) {
      const at = chatKey(chat);
      faults.push(...chatFaults(chat).map((fault) => `${at}: ${fault}`));
      if (faults.length > 0) break;
      for (const next of Object.values(chatMoves(chat, some)).map(canonical)) {
        const key = chatKey(next);
        if (seen.has(key)) continue;
        seen.add(key);
        waiting.push(next);
      }
    }
    expect(faults).toEqual([]);
    expect(some.length).toBeGreaterThan(10);
    expect(seen.size).toBeGreaterThan(3000);
  });
});

describe('any list of events', () => {
  interface Walk {
    chat: Chat;
    now: number;
    fresh: number;
  }
  type Move = (walk: Walk) => Walk;
  const on =
    (change: (walk: Walk) => Chat): Move =>
    (walk) => ({ ...walk, chat: change(walk) });

  const visible = ({ messages }: Chat): [number, PlanKeyboard][] =>
    [...messages].flatMap(([id, keyboard]): [number, PlanKeyboard][] =>
      keyboard === null ? [] : [[id, keyboard]],
    );

  const move: fc.Arbitrary<Move> = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.nat().map((pick): Move => (walk) => {
        const open = commits.filter(({ from }) => from === walk.chat.session.row);
        const one = open[pick % open.length];
        if (one === undefined) return walk;
        return { ...walk, fresh: walk.fresh + 1, chat: commit(walk.chat, one, `${walk.fresh}`) };
      }),
    },
    { weight: 4, arbitrary: fc.constant(on(({ chat }) => see(chat))) },
    { weight: 2, arbitrary: fc.constant(on(({ chat }) => post(chat))) },
    { weight: 6, arbitrary: fc.constant(on(({ chat, now }) => answer(chat, 'done', now))) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom('lost' as const, 'refused' as const)
        .map((how) => on(({ chat, now }) => answer(chat, how, now))),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('lands' as const, 'lost' as const)
        .map((how) => on(({ chat }) => restart(chat, how))),
    },
    {
      weight: 1,
      arbitrary: fc
        .nat()
        .map((pick) =>
          on(({ chat }) =>
            remove(chat, [...chat.messages.keys()][pick % Math.max(1, chat.messages.size)] ?? 0),
          ),
        ),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.nat(), fc.nat(), fc.constantFrom('owner' as const, 'other' as const))
        .map(([pick, button, by]) =>
          on(({ chat, now }) => {
            const shown = visible(chat);
            const [message, keyboard] = shown[pick % Math.max(1, shown.length)] ?? [];
            const pressing = keyboard?.buttons[button % keyboard.buttons.length];
            if (message === undefined || keyboard === undefined || pressing === undefined) return chat;
            return tell(chat, pressed(pressing, message, { keyboard, by, now }));
          }),
        ),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(1000, 30_000, 90_000).map((ms): Move => (walk) => {
        const now = walk.now + ms;
        return { ...walk, now, chat: tell(walk.chat, { type: 'tick', now }) };
      }),
    },
  );

  const start: Walk = { chat: emptyChat, now: 0, fresh: 2 };

  it('keeps the invariant, and ends at what the session asks for once edits go through', () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 10, maxLength: 60 }), (moves) => {
        let walk = start;
        for (const one of moves) {
          walk = one(walk);
          expect(chatFaults(walk.chat)).toEqual([]);
        }
        let { chat, now } = walk;
        chat = see(post(chat));
        for (let turns = 0; turns < 12 && !(isSettled(chat) && turns > 0); turns += 1) {
          now += 200_000;
          chat = tell(chat, { type: 'tick', now });
          while (chat.flight.length > 0) chat = answer(chat, 'done', now);
        }
        expect(isSettled(chat)).toBe(true);
        expect(chatFaults(chat)).toEqual([]);
        expect(visible(chat).length).toBe(chat.session.row === '' ? 0 : 1);
      }),
      { seed, numRuns: 400 },
    );
  });

  it('a keyboard that the record has lost goes when it is pressed', () => {
    const owned = answer(
      see(post({ ...emptyChat, session: { row: 'active: discard', plan: 'p', text: 't' } })),
      'done',
    );
    const [[message, keyboard] = [0, null]] = visible(owned);
    if (keyboard === null) throw new Error('nothing to press');
    const lost = see({ ...owned, keyboard: emptyChat.keyboard });
    const later = answer(tell(lost, pressed('discard', message, { keyboard })), 'done');
    expect(later.messages.get(message)).toBeNull();
  });
});
