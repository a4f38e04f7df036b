import { type Actor, type Said, type SessionSnapshot } from '../../../machines/index.ts';
import { otherHash, owner, type Spoken, stranger, unattended } from './session-samples.ts';

/** What people say and press: by the owner, by a button, by somebody else, by a run without a person. */
export function peopleChoices(snapshot: SessionSnapshot): Spoken {
  return {
    ...ownerSays(snapshot),
    ...buttons(snapshot),
    ...says('other', stranger, snapshot),
    ...stopByStarter(snapshot),
    ...says('run', unattended, snapshot),
    'run.execute-chat': ['Chat: /execute now', chat(unattended, '/execute now')],
  };
}

const shownIn = ({ context }: SessionSnapshot): string | null => context.document?.hash ?? null;
const chat = (by: Actor, text: string, origin: 'typed' | 'command' = 'typed'): Said => ({
  type: 'user.chat',
  by,
  text,
  origin,
});

/** The six decisions of a plan, by one actor. */
function decisions(by: Actor, shown: string | null) {
  return {
    approve: ['Approve (/execute)', { type: 'user.execute', by, shown }],
    'approve-text': ['Approve this text', { type: 'user.approveText', by, shown: shown ?? '' }],
    restore: ['Restore the approved text', { type: 'user.restore', by }],
    revise: ['Ask for changes', { type: 'user.revise', by, note: 'Split step 1.', seen: null }],
    discard: ['Discard (/discard)', { type: 'user.discard', by }],
    continue: ['Continue', { type: 'user.continue', by }],
  } as const satisfies Spoken;
}

/** What anybody may say, allowed or not. */
function says(group: string, by: Actor, snapshot: SessionSnapshot): Spoken {
  const said: Spoken = {
    plan: ['/plan', { type: 'user.plan', by }],
    show: ['/show-plan', { type: 'user.show', by }],
    ...decisions(by, shownIn(snapshot)),
    hello: ['Chat: hello', chat(by, 'hello')],
    'plan-words': ['Chat: make a plan for it', chat(by, 'make a plan for it')],
    compact: ['/compact', { type: 'user.compact', by }],
    stop: ['/stop', { type: 'user.stop', by }],
    yolo: ['/approve yolo', { type: 'user.policy', by, yolo: true }],
    place: ['Move to another folder', { type: 'user.place', by, cwd: '/home/ann/other' }],
    goal: ['/goal Ship it', { type: 'user.goal', by, text: 'Ship it' }],
    rename: ['/rename The basket', { type: 'user.rename', by, name: 'The basket' }],
  };
  return Object.fromEntries(Object.entries(said).map(([id, one]) => [`${group}.${id}`, one]));
}

function ownerSays(snapshot: SessionSnapshot): Spoken {
  const by = owner;
  return {
    ...says('owner', by, snapshot),
    'owner.plan-text': ['/plan keep the basket', { type: 'user.plan', by, text: 'keep the basket' }],
    'owner.approve-unseen': ['Approve, nothing shown yet', { type: 'user.execute', by, shown: null }],
    'owner.approve-old': ['Approve, an older text was shown', { type: 'user.execute', by, shown: otherHash }],
    'owner.approve-text-old': [
      'Approve this text, an older one was shown',
      { type: 'user.approveText', by, shown: otherHash },
    ],
    'owner.command-words': ['A command’s text: make a plan', chat(by, 'make a plan for it', 'command')],
    'owner.ask': ['/approve ask', { type: 'user.policy', by, yolo: false }],
    'owner.goal-clear': ['/goal clear', { type: 'user.goal', by, text: null }],
    'owner.switch': ['Switch to another session', { type: 'user.switch', by }],
  };
}

/** The person who began the turn may stop it, owner or not. */
function stopByStarter({ context }: SessionSnapshot): Spoken {
  const starter = context.record.lease?.by;
  if (starter === undefined) return {};
  return {
    'other.stop-own': [
      '/stop by who started the turn',
      { type: 'user.stop', by: { ...starter, owner: false } },
    ],
  };
}

/** Presses of plan buttons (D30): a fresh one, and old ones of every kind. */
function buttons({ context: { plan, document } }: SessionSnapshot): Spoken {
  const phase = plan?.status === 'Active' ? 'active' : 'editing';
  const fresh = { plan: plan?.id ?? 'none', phase, owns: true } as const;
  const hash = document?.hash ?? null;
  const kinds = {
    '': ['', fresh],
    '-other-plan': [', of an earlier plan', { ...fresh, plan: 'earlier' }],
    '-other-phase': [', of another phase', { ...fresh, phase: phase === 'active' ? 'editing' : 'active' }],
    '-old-message': [', on a message that lost its keyboard', { ...fresh, owns: false }],
    '-this-text': [', drawn for this text', { ...fresh, hash }],
    '-old-text': [', drawn for an older text', { ...fresh, hash: otherHash }],
  } as const;
  const pressed = Object.entries(decisions(owner, hash)).flatMap(([id, [label, said]]) =>
    Object.entries(kinds)
      .filter(([kind]) => kind === '' || kind === '-other-plan' || id === 'approve' || id === 'restore')
      .map(
        ([kind, [words, button]]) =>
          [`button.${id}${kind}`, [`${label}${words}`, { ...said, button }]] as const,
      ),
  );
  return Object.fromEntries(pressed);
}
