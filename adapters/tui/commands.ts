/** Commands that take no text. */
type Bare = 'show' | 'execute' | 'discard' | 'stop' | 'continue' | 'compact' | 'help' | 'quit';

/** What a line typed into the input asks for. `usage` is answered on the spot and sends nothing. */
export type Command =
  | { kind: 'chat'; text: string }
  | { kind: 'plan'; text: string | null }
  | { kind: Bare }
  | { kind: 'new' }
  | { kind: 'sessions' }
  | { kind: 'name' }
  | { kind: 'rename'; name: string }
  | { kind: 'policy' }
  | { kind: 'setPolicy'; policy: 'ask' | 'yolo' }
  | { kind: 'goal' }
  | { kind: 'setGoal'; text: string | null }
  | { kind: 'model' }
  | { kind: 'useModel'; name: string }
  | { kind: 'session'; id: string }
  /** No command of planchart's; one of the user's own, if there is a file for it. */
  | { kind: 'own'; name: string; text: string }
  | { kind: 'usage'; text: string };

const bare: Readonly<Record<string, Bare>> = {
  '/show-plan': 'show',
  '/show_plan': 'show',
  '/showplan': 'show',
  '/execute': 'execute',
  '/discard': 'discard',
  '/stop': 'stop',
  '/continue': 'continue',
  '/compact': 'compact',
  '/help': 'help',
  '/quit': 'quit',
  '/exit': 'quit',
};

function approve(rest: string): Command {
  if (rest === '') return { kind: 'policy' };
  if (rest === 'ask' || rest === 'yolo') return { kind: 'setPolicy', policy: rest };
  return {
    kind: 'usage',
    text: 'Use /approve, /approve ask or /approve yolo. Plans are approved with /execute.',
  };
}

function goal(rest: string): Command {
  if (rest === '') return { kind: 'goal' };
  return { kind: 'setGoal', text: rest === 'clear' ? null : rest };
}

function known(name: string, rest: string): Command | null {
  if (name === '/plan') return { kind: 'plan', text: rest === '' ? null : rest };
  if (name === '/approve') return approve(rest);
  if (name === '/goal') return goal(rest);
  if (name === '/rename') return rest === '' ? { kind: 'name' } : { kind: 'rename', name: rest };
  if (name === '/model') return rest === '' ? { kind: 'model' } : { kind: 'useModel', name: rest };
  const kind = Object.hasOwn(bare, name) ? bare[name] : undefined;
  if (kind === undefined) return null;
  // A typed act must mean itself: "/discard the last step" is not a wish to discard everything.
  return rest === '' ? { kind } : { kind: 'usage', text: `${name} takes no text. Nothing was done.` };
}

function switching(name: string, rest: string): Command | null {
  if (name === '/new' && rest === '') return { kind: 'new' };
  if (name === '/sessions' && rest === '') return { kind: 'sessions' };
  if (name === '/session' && rest !== '') return { kind: 'session', id: rest };
  return null;
}

/**
 * Reads a submitted line. The first token, up to any white space, decides, exactly as written (D26, D51);
 * a token with a second slash is a path and so is chat. `/new`, `/sessions` and `/session <id>` exist
 * only where the program can switch sessions.
 */
export function parseCommand(line: string, sessions: 'fixed' | 'switchable'): Command {
  const text = line.trim();
  if (!text.startsWith('/')) return { kind: 'chat', text: line };
  const name = /^\S+/u.exec(text)?.[0] ?? '';
  const rest = text.slice(name.length).trim();
  if (name.lastIndexOf('/') > 0) return { kind: 'chat', text: line };
  return (
    known(name, rest) ??
    (sessions === 'switchable' ? switching(name, rest) : null) ?? { kind: 'own', name, text }
  );
}
