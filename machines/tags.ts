/** What the tags of each machine's states mean, in one sentence each; the charts show it. */
export const tags = {
  session: {
    live: 'There is a plan or a checklist.',
    editing: 'A session plan is being made and waits for Approve.',
    seedWindow: 'Approved, and no task has started: nothing but reading and the `plan` tool is open.',
    building: 'Building checklist… is shown.',
    seedError: 'The seed turn ended early; a person decides how to go on.',
    busy: 'A turn runs: plan decisions are refused, and what is said waits.',
  },
  agent: {
    model: 'The model works, and the turn waits for it.',
    tools: 'A call is judged or runs.',
    person: 'A person is asked, and the turn waits for the answer.',
  },
  keyboard: {
    shows: 'A message shows a plan keyboard, or may still show one.',
    sending: 'An edit of that message is on its way; nothing else is sent.',
  },
  flow: {
    shown: 'The turn has a message in the chat.',
  },
} as const satisfies Record<string, Record<string, string>>;

export type SessionTag = keyof typeof tags.session;
export type AgentTag = keyof typeof tags.agent;
export type KeyboardTag = keyof typeof tags.keyboard;
export type FlowTag = keyof typeof tags.flow;
