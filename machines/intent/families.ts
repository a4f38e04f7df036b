/** What a person's words may point to (D25), in the order in which hints are added. */
export const families = ['plan', 'read', 'search', 'write', 'edit', 'bash', 'web'] as const;
export type Family = (typeof families)[number];

/** Words of each family, as upstream lists them. A phrase needs single spaces, and its straight apostrophe. */
export const triggers: Readonly<Record<Family, readonly string[]>> = {
  plan: [
    'make a plan',
    'create a plan',
    'plan for',
    'plan to implement',
    'plan out',
    'planning',
    'create plan',
    'make plan',
  ],
  read: [
    'read file',
    'read the file',
    'show me file',
    'show me the file',
    'show file content',
    "what's in",
    'what is in',
    'display file',
    'view file',
    'look at file',
    'check file',
  ],
  search: [
    'search for',
    'find',
    'look for',
    'grep',
    'search code',
    'find in files',
    'search in',
    'where is',
    'locate',
  ],
  write: [
    'create file',
    'create a file',
    'write file',
    'write to file',
    'make a file',
    'make file',
    'new file',
  ],
  edit: [
    'edit file',
    'modify file',
    'update file',
    'change file',
    'fix in file',
    'update the file',
    'modify the file',
  ],
  bash: ['run command', 'execute command', 'run shell', 'shell command', 'terminal command', 'bash command'],
  web: [
    'search online',
    'search the web',
    'google',
    'search internet',
    'find online',
    'look up online',
    'web search',
  ],
};

/** A family that points to tools rather than to a plan. */
export type ToolFamily = Exclude<Family, 'plan'>;

/** The tools that a family's hint, `prompts/hint-<family>.md`, names. */
export const hintedTools: Readonly<Record<ToolFamily, readonly string[]>> = {
  read: ['read_file'],
  search: ['grep', 'glob'],
  write: ['write_file'],
  edit: ['edit_file'],
  bash: ['bash'],
  web: ['http_request'],
};
