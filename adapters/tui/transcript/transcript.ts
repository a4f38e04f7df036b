import type { Published } from '../../ports.ts';
import { notice, type Item, type ToolItem } from './items.ts';

/** `items` are finished and printed once; the rest is drawn live below them. */
export interface Transcript {
  items: readonly Item[];
  /** The model's label of a turn that has begun: it follows what the turn answers to. */
  label: string | null;
  reasoning: string;
  text: string;
  tools: readonly ToolItem[];
}

type ModelPublished = Extract<
  Published,
  {
    type:
      | 'reasoning'
      | 'text'
      | 'message.ended'
      | 'tool.started'
      | 'tool.progress'
      | 'tool.ended'
      | 'turn.ended';
  }
>;

export const emptyTranscript: Transcript = { items: [], label: null, reasoning: '', text: '', tools: [] };

export function append(state: Transcript, ...items: readonly Item[]): Transcript {
  return items.length === 0 ? state : { ...state, items: [...state.items, ...items] };
}

function endReasoning(state: Transcript): Transcript {
  if (state.reasoning.trim() === '') return { ...state, reasoning: '' };
  return append({ ...state, reasoning: '' }, { type: 'reasoning', text: state.reasoning.trim() });
}

function endMessage(state: Transcript, text: string): Transcript {
  const calm = endReasoning({ ...state, text: '' });
  return text.trim() === '' ? calm : append(calm, { type: 'assistant', text: text.trim() });
}

/** Finished calls are printed in the order in which they began, so a slow neighbour holds the later ones back. */
function settleTools(state: Transcript): Transcript {
  const open = state.tools.findIndex((tool) => tool.result === null);
  const count = open === -1 ? state.tools.length : open;
  return append({ ...state, tools: state.tools.slice(count) }, ...state.tools.slice(0, count));
}

function endTool(state: Transcript, ended: Extract<Published, { type: 'tool.ended' }>): Transcript {
  const result = { text: ended.text, state: ended.failed ? ('failed' as const) : ('done' as const) };
  const known = state.tools.some((tool) => tool.call === ended.call);
  const tools: readonly ToolItem[] = known
    ? state.tools.map((tool) => (tool.call === ended.call ? { ...tool, result } : tool))
    : [...state.tools, { type: 'tool', call: ended.call, name: ended.name, summary: '', result }];
  return settleTools({ ...state, tools });
}

function endTurn(state: Transcript, outcome: string, cause: string | null): Transcript {
  const said = endMessage(state, state.text);
  const tools = said.tools.map((tool) => ({
    ...tool,
    result: tool.result ?? { text: 'not finished', state: 'stopped' as const },
  }));
  return append(settleTools({ ...said, tools }), { type: 'ended', outcome, cause });
}

function showLabel(state: Transcript): Transcript {
  if (state.label === null) return state;
  return append({ ...state, label: null }, { type: 'label', text: state.label });
}

/** What a turn's model says and does, below the turn's label. */
function followModel(state: Transcript, published: ModelPublished): Transcript {
  switch (published.type) {
    case 'reasoning':
      return { ...state, reasoning: state.reasoning + published.text };
    case 'text': {
      const calm = endReasoning(state);
      return { ...calm, text: calm.text + published.text };
    }
    case 'message.ended':
      return endMessage(state, published.text);
    case 'tool.started': {
      const { call, name, summary } = published;
      const tool: ToolItem = { type: 'tool', call, name, summary, result: null };
      const said = endMessage(state, state.text);
      return { ...said, tools: [...said.tools, tool] };
    }
    case 'tool.progress': {
      const { call, text } = published;
      return {
        ...state,
        tools: state.tools.map((tool) => (tool.call === call ? { ...tool, progress: text } : tool)),
      };
    }
    case 'tool.ended':
      return endTool(state, published);
    case 'turn.ended':
      return endTurn(state, published.outcome, published.cause);
  }
}

/**
 * The transcript after one thing that the engine published. `text` and `reasoning` are pieces to add;
 * `message.ended` carries the whole message and replaces them.
 */
export function follow(state: Transcript, published: Published): Transcript {
  switch (published.type) {
    case 'turn.started':
      return { ...state, label: published.label };
    case 'user': {
      const { turn: _turn, ...item } = published;
      return showLabel(append(state, item));
    }
    case 'notice':
      return append(state, notice(published.level, published.text));
    case 'view':
    case 'context':
    case 'prompt.opened':
    case 'prompt.closed':
    case 'returned':
      return state;
    case 'reasoning':
    case 'text':
    case 'message.ended':
    case 'tool.started':
    case 'tool.progress':
    case 'tool.ended':
    case 'turn.ended':
      return followModel(showLabel(state), published);
  }
}
