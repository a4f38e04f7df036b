import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../adapters/clock.ts';
import type { SessionPaths } from '../../adapters/ports.ts';
import { createDispatcher } from '../../adapters/runtime/dispatch.ts';
import { archiveNames } from '../../adapters/store/archive.ts';
import { createFileStore } from '../../adapters/store/index.ts';
import { turnOf } from '../../machines/index.ts';
import { type Disk, hashesOf, projectOf, type Whose } from './two-process-disk.ts';
import type { History } from './two-process-history.ts';
import { hashOf, recordPath, textOrNull } from './two-process-log.ts';
import type { Fault } from './two-process-replay.ts';

/** All of a session's files. `others`: of these projects too. */
export function readDisk({ session, paths: find }: Whose, others: readonly string[] = []): Disk {
  const root = find(null);
  const record = textOrNull(recordPath(root)) ?? '';
  const paths = find(projectOf(record));
  const revisions = join(paths.own, 'revisions');
  const archives = copiesIn(paths, session);
  return {
    record,
    sidecar: textOrNull(paths.sidecar),
    document: textOrNull(paths.document),
    archives,
    revisions: new Set(namesIn(revisions).map((name) => readFileSync(join(revisions, name), 'utf8'))),
    others: new Map(
      others.map((project) => [project, leftIn(find(project === '' ? null : project), session)]),
    ),
  };
}

function leftIn(paths: SessionPaths, session: string): Pick<Disk, 'document' | 'archives'> {
  return { document: textOrNull(paths.document), archives: copiesIn(paths, session) };
}

function copiesIn({ archive }: SessionPaths, session: string): ReadonlyMap<string, string> {
  const names = archiveNames(session, namesIn(archive));
  return new Map(names.map((name) => [name, readFileSync(join(archive, name), 'utf8')]));
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/**
 * When both have left: the files are those of the model, archive and revisions included, and the next start finds
 * a session that can be used, without leftovers.
 */
export async function endFaults(
  home: string,
  whose: Whose,
  { edits }: History,
  possible: readonly Disk[],
): Promise<Fault[]> {
  const { session } = whose;
  const store = createFileStore({ home });
  const found = readDisk(whose, [...new Set(possible.flatMap(({ others }) => [...others.keys()]))]);
  const written = new Set(edits.flatMap(({ texts }) => texts));
  const faults = possible.map((disk) => unlike(disk, found, written));
  // With several possible ends one has to fit.
  const texts = faults.some((list) => list.length === 0) ? [] : (faults[0] ?? ['there is no end']);
  const dispatcher = createDispatcher({
    store,
    clock: systemClock,
    workspace: { endGroup: () => Promise.resolve() },
    process: systemClock.id(),
  });
  const { snapshot } = await dispatcher.refresh(session, 'missing');
  if (turnOf(snapshot) !== 'idle') texts.push('a turn runs after both have left');
  const temps = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tmp'),
  );
  texts.push(...temps.map((name) => `${name} is left over`));
  return texts.map((text) => ({ kind: 'lost', text: `at the end: ${text}` }));
}

function copyFaults(
  wanted: Disk['archives'],
  found: Disk['archives'],
  edits: ReadonlySet<string | null>,
): string[] {
  const names = new Set([...wanted.keys(), ...found.keys()]);
  const wrong = [...names].filter((name) => {
    const text = found.get(name);
    // An editor may have been faster than the copy.
    return text !== wanted.get(name) && (text === undefined || !edits.has(text));
  });
  return wrong.map((name) => `the archive's ${name} is not what was archived`);
}

function unlike(model: Disk, found: Disk, edits: ReadonlySet<string | null>): string[] {
  const [wanted, is] = [hashesOf(model), hashesOf(found)];
  const faults = (['record', 'sidecar', 'document'] as const)
    .filter((name) => wanted[name] !== is[name] && !(name === 'document' && edits.has(found.document)))
    .map((name) => `the ${name} is ${is[name]}, not ${wanted[name]}`);
  const folders = [[model, found] as const];
  for (const [project, there] of model.others) {
    const other = found.others.get(project);
    if (other !== undefined)
      folders.push([
        { ...model, ...there },
        { ...found, ...other },
      ]);
  }
  for (const [wanted, is] of folders) faults.push(...copyFaults(wanted.archives, is.archives, edits));
  for (const text of model.revisions) {
    if (!found.revisions.has(text)) faults.push(`the revision ${hashOf(text)} is lost`);
  }
  return faults;
}
