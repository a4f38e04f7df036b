import {
  type AgentCall,
  type AgentEffect,
  type AgentEvent,
  type AgentSnapshot,
  agentStep,
} from '../../../machines/index.ts';
import { accepted, type Choice, type Fact, ignored, leavesOf, type Scene, type Taken } from './scene.ts';

/** The agent machine, at the first request of a turn. */
export const agentScene = (): Scene => sceneOf(agentStep(null, null)[0]);

function sceneOf(at: AgentSnapshot): Scene {
  return {
    states: leavesOf(at.value),
    hint: hints[at.value],
    facts: factsOf(at),
    choices: () => choicesAt(at),
  };
}

const hints: Readonly<Record<AgentSnapshot['value'], string>> = {
  asking: 'The model has been asked and has to answer.',
  compacting: 'The conversation is being made shorter; then the model is asked again.',
  streaming: 'The response comes in. Nothing runs before it has ended.',
  judging: 'The gate says whether this call may run, has to be asked about, or is refused.',
  readingTogether: 'Reads run side by side.',
  awaitingApproval: 'A person has to say Yes or No.',
  runningTool: 'The tool works.',
  settling: 'The turn ends; nothing more happens in it.',
};

function factsOf({ context }: AgentSnapshot): Fact[] {
  const calls = context.calls.map(({ name, kind }) => `${name} (${kind})`);
  const ended = context.cause === null ? context.outcome : `${context.outcome}: ${context.cause}`;
  return [
    { label: 'Calls to work', text: calls.join('\n') || 'none' },
    { label: 'Requests', text: String(context.asks) },
    { label: 'Made shorter', text: context.compacted.join(', ') || 'no' },
    { label: 'Outcome', text: ended },
  ];
}

const read = (id: string): AgentCall => ({ id, name: 'read', kind: 'read' });
const bash = (id: string): AgentCall => ({ id, name: 'bash', kind: 'other' });
const responded = (reason: 'stop' | 'calls' | 'length', ...calls: AgentCall[]): AgentEvent => ({
  type: 'model.ended',
  reason,
  calls,
});

type Happens = readonly [id: string, label: string, event: AgentEvent];

const groups: Readonly<Record<string, readonly Happens[]>> = {
  'The model': [
    ['model.started', 'The response begins', { type: 'model.started' }],
    ['model.text', 'It ends: text only', responded('stop')],
    ['model.one', 'It ends: one call', responded('calls', bash('a'))],
    ['model.two', 'It ends: two calls', responded('calls', bash('a'), bash('b'))],
    ['model.reads', 'It ends: two reads and a call', responded('calls', read('a'), read('b'), bash('c'))],
    [
      'model.call-reads',
      'It ends: a call and two reads',
      responded('calls', bash('a'), read('b'), read('c')),
    ],
    ['model.cut', 'It is cut off by its length', responded('length', bash('a'))],
    ['model.failed', 'The request fails', { type: 'model.failed', cause: 'no answer' }],
  ],
  'The conversation': [
    ['context.full', 'It is too long', { type: 'context.full', why: 'full' }],
    ['context.refused', 'The provider says it is too long', { type: 'context.full', why: 'refused' }],
    ['context.compacted', 'It has been made shorter', { type: 'context.compacted' }],
    ['context.failed', 'It cannot be made shorter', { type: 'context.failed' }],
  ],
  'Tool calls': [
    ['call.allowed', 'The call is allowed', { type: 'call.allowed' }],
    ['call.asks', 'A person has to be asked', { type: 'call.asks' }],
    ['call.ended', 'The call is answered', { type: 'call.ended', endsTurn: false }],
    [
      'call.ends-turn',
      'The call ends the turn',
      { type: 'call.ended', endsTurn: true, cause: 'No was said.' },
    ],
    ['reads.one', 'The first read is answered', { type: 'reads.ended', count: 1 }],
    ['reads.both', 'Both reads are answered', { type: 'reads.ended', count: 2 }],
  ],
  'A person': [['cancel', 'Stop the turn', { type: 'cancel' }]],
};

function choicesAt(at: AgentSnapshot): Choice[] {
  return Object.entries(groups).flatMap(([group, list]) =>
    list.map(([id, label, event]): Choice => {
      const take = (): Taken => taken(at, event);
      return { id, label, group, event: event.type, answer: () => take().answer, take };
    }),
  );
}

function taken(at: AgentSnapshot, event: AgentEvent): Taken {
  const [next, effects] = agentStep(at, event);
  const still = next.value === at.value && effects.length === 0;
  return { answer: still ? ignored : accepted(), did: effects.map(inWords), next: sceneOf(next) };
}

function inWords(effect: AgentEffect): string {
  switch (effect.type) {
    case 'context.compact':
      return 'make the conversation shorter';
    case 'model.ask':
      return 'ask the model';
    case 'model.read':
      return 'read the response';
    case 'call.judge':
      return `ask the gate about ${effect.call.name}`;
    case 'call.run':
      return `run ${effect.call.name}`;
    case 'reads.run':
      return `run ${effect.calls.length} reads together`;
    case 'prompt.open':
      return `ask a person about ${effect.call.name}`;
    case 'calls.drop':
      return effect.calls.length === 1
        ? `1 call is not run: ${effect.why}`
        : `${effect.calls.length} calls are not run: ${effect.why}`;
    case 'settle':
      return `the turn settles: ${effect.outcome}`;
  }
}
