import type { Script } from './model-server.ts';
import type { ChatRequest, Reply } from './model-server/reply.ts';

interface Call {
  name: string;
  input: unknown;
}

/** One tool call of a scripted response. */
export const call = (name: string, input: unknown): Call => ({ name, input });
export const plan = (operation: string, more: object = {}): Call => call('plan', { operation, ...more });
export const reply = (...calls: Call[]): Reply => ({ calls });
export const says = (text: string): Reply => ({ text });

/** A session plan that can be approved, with so many steps. */
export function planText(title: string, ...steps: string[]): string {
  const numbered = steps.map((step, index) => `${index + 1}. ${step}`);
  return `# ${title}
## Context
- **Problem:** two services share one key.
- **Target state:** each service owns its key.
- **Intent:** the next release needs it.
## Implementation steps
${numbered.join('\n')}
`;
}

/** What the model was told by the system message of a request. */
export function systemOf(request: ChatRequest | undefined): string {
  return request?.messages.map(textIf('system')).join('\n') ?? '';
}

/** Texts of one role, in order. */
export function textsOf(request: ChatRequest | undefined, role: 'user' | 'assistant' | 'tool'): string[] {
  return (request?.messages ?? []).filter((message) => message.role === role).map(textIf(role));
}

function textIf(role: string) {
  return (message: ChatRequest['messages'][number]): string => {
    if (message.role !== role) return '';
    return typeof message.content === 'string' ? message.content : JSON.stringify(message.content);
  };
}

/** A function is called when its reply is due, for what happens just before it. */
type Due = Reply | Promise<Reply> | (() => Reply | Promise<Reply>);

/** Replies in order; the list is made anew for each, so that it may name paths of the running session. */
export function inOrder(replies: () => readonly Due[]): Script {
  return (_, index) => {
    const due = replies()[index];
    if (due === undefined) return { status: 400, error: `no reply ${index + 1} in this script` };
    return typeof due === 'function' ? due() : due;
  };
}

/** Tasks as a model words them, one for each title. */
export const tasks = (...titles: string[]): { tasks: object[] } => ({
  tasks: titles.map((title) => ({ title, description: `Do ${title}.` })),
});

/** Whether a request is a sub-agent's: its system message says so. */
export const isSubAgent = (request: ChatRequest | undefined): boolean =>
  /\bsub-agent (?:inside planchart|that only reads)/u.test(systemOf(request));

/** Replies in order for the session's own agent, and others in order for all its sub-agents. */
export function perAgent(main: () => readonly Due[], children: () => readonly Due[]): Script {
  const next = { main: 0, children: 0 };
  return (request) => {
    const who = isSubAgent(request) ? 'children' : 'main';
    next[who] += 1;
    const due = (who === 'main' ? main() : children())[next[who] - 1];
    if (due === undefined) return { status: 400, error: `no reply ${next[who]} for ${who} in this script` };
    return typeof due === 'function' ? due() : due;
  };
}
