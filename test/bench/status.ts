import { join } from 'node:path';
import { readStatus, statusText } from '../../adapters/cli/status.ts';
import { createFileStore } from '../../adapters/store/index.ts';
import { makeFolder, readEverything } from './floor.ts';
import { fillHome } from './home.ts';
import { interleave, timed } from './measure.ts';
import { program, runNode } from './processes.ts';
import { type Row, rowOfPairs } from './table.ts';

/** The floor as a process, in plain JavaScript: taking types off would cost more than reading. */
const reader = [
  "const { readdirSync, readFileSync } = require('node:fs');",
  "const { join } = require('node:path');",
  readEverything.toString(),
  'console.log(readEverything(process.argv[1]));',
].join('\n');

/** `status` of a home with many sessions, beside reading the same files and doing nothing with them. */
export async function measureStatus(folder: string, sessions: number, rounds: number): Promise<Row[]> {
  const home = makeFolder(join(folder, 'many'));
  const ids = fillHome(home, { sessions });
  const status = async () => statusText(home, await readStatus(createFileStore({ home }), null));
  const shown = await status();
  const missing = ids.filter((id) => !shown.includes(id));
  if (missing.length > 0) throw new Error(`status left out ${missing.length} of ${sessions} sessions.`);
  const inside = await interleave(rounds, {
    ours: () => timed(status),
    list: () => timed(() => createFileStore({ home }).list()),
    floor: () => timed(() => readEverything(home)),
  });
  const outside = await interleave(rounds, {
    ours: async () => (await runNode([program, 'status', '--home', home])).ms,
    one: async () => (await runNode([program, 'status', '--home', home, '--session', ids[0] ?? ''])).ms,
    floor: async () => (await runNode(['-e', reader, home])).ms,
  });
  const goal: Row['goal'] = { of: 'ratio', most: 2 };
  const note = `${sessions} sessions; floor: reading the same files one after another`;
  const row = (name: string, more: string, judged: Row['goal']) => ({
    name,
    unit: 'ms' as const,
    goal: judged,
    note: `${note}${more}`,
  });
  return [
    rowOfPairs(row('status, function', '', goal), inside.ours, inside.floor),
    rowOfPairs(row('status, process', ' in a process of its own', goal), outside.ours, outside.floor),
    rowOfPairs(row('status --session, process', ', all of them', null), outside.one, outside.floor),
    rowOfPairs(row('list of sessions, function', ', all of them', null), inside.list, inside.floor),
  ];
}
