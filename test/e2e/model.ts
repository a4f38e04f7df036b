import type { ChatRequest, Reply } from '../support/model-server/reply.ts';

/** One call of a tool, with a line of text before it where one is given. */
export const call = (name: string, input: object, text = ''): Reply => ({ text, calls: [{ name, input }] });
export const plan = (operation: string, input: object = {}): Reply => call('plan', { operation, ...input });

/** Where the session plan is, as the model was told. */
export function planPath({ messages }: ChatRequest): string {
  const told = messages.map(({ content }) => /\S*\.opencrabs_plan_[0-9a-f-]+\.md/u.exec(content ?? '')?.[0]);
  const path = told.findLast((found) => found !== undefined);
  if (path === undefined) throw new Error('Nothing names the session plan');
  return path.replaceAll('`', '');
}

export const incomplete = `# Add a count option

## Context

- **Problem:** Nobody sees how many todos are open.
- **Target state:**
- **Intent:** It was asked for.

## Implementation steps

`;

export const complete = `# Add a count option

## Context

- **Problem:** Nobody sees how many todos are open.
- **Target state:** \`list --count\` prints the numbers.
- **Intent:** It was asked for.

## Implementation steps

1. Count — add \`count.txt\`
2. Document — add \`docs.txt\`
   - Done when: \`docs.txt\` is there
3. Look it over — nothing to write
`;

const task = (title: string): object => ({ title, description: `${title}.` });
export const tasks = [task('Count'), task('Document'), task('Look it over')];

/** A reply that waits until the test lets it go, so that what is on screen meanwhile can be read. */
export interface Gate {
  readonly open: Promise<void>;
  go(): void;
}

export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: promise, go: () => resolve() };
}

export type Step = Reply | ((request: ChatRequest) => Reply | Promise<Reply>);

/** Replies in order; a request beyond them is answered with an empty text, which ends the turn. */
export function script(steps: readonly Step[]) {
  return (request: ChatRequest, index: number): Reply | Promise<Reply> => {
    const step = steps[index] ?? { text: 'Nothing more.' };
    return typeof step === 'function' ? step(request) : step;
  };
}
