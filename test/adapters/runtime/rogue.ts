import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Harness } from '../../support/harness.ts';
import { call, plan } from '../../support/harness-script.ts';

/** Every file, folder and link below a folder with what is in it: equal records mean that nothing changed. */
export function photograph(
  folder: string,
  ignored: (path: string) => boolean = () => false,
): Record<string, string> {
  return Object.fromEntries(entriesIn(folder, '').filter(([path]) => !ignored(path)));
}

function entriesIn(folder: string, below: string): [path: string, content: string][] {
  const names = readdirSync(join(folder, below)).sort();
  return names.flatMap((name): [string, string][] => {
    const path = join(below, name);
    const stat = lstatSync(join(folder, path), { throwIfNoEntry: false });
    // Another program's temporary file may be gone again by now.
    if (stat === undefined) return [];
    const mode = stat.mode.toString(8);
    if (stat.isSymbolicLink()) return [[path, `link ${readlinkSync(join(folder, path))}`]];
    if (stat.isDirectory()) return [[path, mode], ...entriesIn(folder, path)];
    return [
      [
        path,
        `${mode} ${createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex')}`,
      ],
    ];
  });
}

/** What the session itself writes while a turn runs. */
export const isRecord = (id: string) => {
  const own = join('planchart/sessions', id);
  return (path: string): boolean =>
    path.startsWith('planchart/locks') ||
    [own, `${own}/session.json`, `${own}/transcript.jsonl`, `${own}/agents`].includes(path) ||
    /\/journal(?:\.1)?\.jsonl$/u.test(path) ||
    path.startsWith(`${own}/agents/`) ||
    // A write in progress has its own name for moments.
    path.endsWith('.tmp');
};

export const files = { 'src/app.ts': 'export const app = 1;\n', 'src/gone.ts': 'x\n' };

/** Links and look-alikes in the project, as a rogue may have left them in an earlier turn. */
export function plantTraps(h: Harness): void {
  const { document, sidecar, dir, own } = h.session.paths;
  mkdirSync(dir, { recursive: true });
  symlinkSync(h.home, join(h.project, 'way'));
  symlinkSync(own, join(h.project, 'own'));
  symlinkSync(document, join(h.project, 'plan.md'));
  symlinkSync(sidecar, join(h.project, 'plan.json'));
  writeFileSync(join(h.project, `.opencrabs_plan_${h.id}.md`), '# Forged\n');
  writeFileSync(join(h.project, `.opencrabs_plan_${h.id}.json`), '{"status":"InProgress","tasks":[]}');
}

/** Commands that a person is asked about in the open states; the same ones are tried later. */
export const commands = (h: Harness): string[] => [
  'echo x > src/app.ts',
  `rm -rf src; echo '{}' > '${h.session.paths.sidecar}'; touch way/made`,
];

/** What a person allows for the session at the very start: every tool that asks, as far as it goes. */
export const allowedOnce = (h: Harness, origin: string) => [
  call('write_file', { path: 'src/allowed.ts', content: 'x' }),
  call('edit_file', { path: 'src/allowed.ts', old_text: 'x', new_text: 'y' }),
  call('hashline_edit', { path: 'src/allowed.ts', edits: [{ line: 0, hash: '', insert_after: 'z' }] }),
  ...['POST', 'PUT', 'DELETE'].map((method) => call('http_request', { url: origin, method })),
  call('http_request', { url: origin }),
  ...commands(h).map((command) => call('bash', { command: `true || { ${command}; }` })),
];

/** Every tool of the registry and many that there are not, at everything that a rogue may want to change. */
export function attacks(h: Harness, origin: string) {
  const { document, sidecar, archive, own } = h.session.paths;
  const aims = [
    'src/app.ts',
    'src/new/deep.ts',
    'way/session/made.json',
    'own/session.json',
    'plan.md',
    'plan.json',
    `.opencrabs_plan_${h.id}.md`,
    '../project/src/app.ts',
    '../outside.txt',
    sidecar,
    join(archive, `opencrabs_plan_${h.id}-20260101-000000.md`),
    join(own, 'session.json'),
    join(own, 'revisions', 'x.md'),
    join(h.home, 'planchart.toml'),
    document.toUpperCase(),
    `${document}/../made.md`,
    `${document}.bak`,
    `src/../src/app.ts`,
    'a\0b',
  ];
  return [
    ...aims.map((path) => call('write_file', { path, content: 'rogue' })),
    ...aims.slice(0, 5).map((path) => call('edit_file', { path, old_text: '1', new_text: '2' })),
    ...aims
      .slice(0, 6)
      .map((path) => call('hashline_edit', { path, edits: [{ line: 0, hash: '', insert_after: 'z' }] })),
    ...commands(h).map((command) => call('bash', { command })),
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) =>
      call('http_request', { url: origin, method }),
    ),
    call('http_request', { url: origin }),
    call('spawn_agent', { agent_type: 'general', prompt: 'write it' }),
    call('spawn_agent', { agent_type: 'root', prompt: 'write it' }),
    ...['approve', 'execute', 'discard', 'complete', 'finalize', 'constructor'].map((operation) =>
      plan(operation),
    ),
    plan('init', { mode: 'yolo', title: 'T' }),
    plan('init', { mode: 'design' }),
    plan('init', { file_path: 'own/session.json' }),
    ...[
      'team_create',
      'team_broadcast',
      'send_input',
      'mcp__fs__write_file',
      'deploy',
      'Write_File',
      '__proto__',
    ].map((name) => call(name, { path: 'src/app.ts', content: 'rogue' })),
    call('write_file', { path: 'src/app.ts' }),
    call('write_file', null),
    call('bash', { command: ['rm', '-rf', '.'] }),
    ...['read_file', 'grep', 'glob', 'ls'].map((name) => call(name, { path: '.', pattern: 'app' })),
    call('read_file', { path: join(own, 'session.json') }),
    call('follow_up_question', { question: 'May I go on?' }),
  ];
}
