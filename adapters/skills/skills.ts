import { type Dirent, lstatSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Skill, SkillList, Skills } from '../ports.ts';
import { within } from '../read-placed.ts';
import { visibleLine } from '../text.ts';
import { type Candidate, type LoadedSkill, loadSkill } from './skill-file.ts';
import { fillTemplate } from './template.ts';

export interface SkillPlaces {
  /** The root home, resolved: no file of a person's leads to what else it holds. */
  root: string;
  /** The root home and that of the profile in use, resolved; the last one counts first. */
  homes: readonly string[];
  /** Whether what a folder brings along may be loaded (D53); `path` is a real path. Contract: never throws. */
  trusted(path: string): Promise<boolean>;
}

/** A folder that holds `skills` and `commands`. */
interface Place {
  base: string;
  mayLie: (folder: string) => (place: string) => boolean;
}

/** Entries that are looked at in one folder. */
const mostEntries = 200;

/** Skills and user commands, read anew each time: a person edits them while the program runs. */
export function createSkills(places: SkillPlaces): Skills {
  return {
    get folders() {
      return places.homes.map((home) => join(home, 'planchart', 'skills')).filter(isOwnFolder);
    },
    list: async (cwd) => listOf(await load(places, cwd)),
    async expand(typed, cwd) {
      const [, name, given = ''] = /^\s*\/([a-z0-9][a-z0-9_-]*)(?:\s+([^]*))?$/u.exec(typed) ?? [];
      if (name === undefined) return null;
      const found = (await load(places, cwd)).skills.get(name);
      return found === undefined ? null : { path: found.path, text: fillTemplate(found.body, given.trim()) };
    },
  };
}

/** A link in its place may lead anywhere; then each path in it is judged as what it really is. */
const isOwnFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

interface Loaded {
  skills: Map<string, LoadedSkill>;
  faults: string[];
}

function listOf({ skills, faults }: Loaded): SkillList {
  const all = [...skills.values()].map(({ kind, name, description, arguments: takes, path }): Skill => ({
    kind,
    name,
    description,
    arguments: takes,
    path,
  }));
  return { all: all.toSorted((a, b) => (a.name < b.name ? -1 : 1)), faults };
}

/** A later place counts before an earlier one, as for settings, and in one place a command before a skill (0056). */
async function load(places: SkillPlaces, cwd: string): Promise<Loaded> {
  const loaded: Loaded = { skills: new Map(), faults: [] };
  for (const place of await placesOf(places, cwd)) {
    const here = new Map<string, LoadedSkill>();
    for (const kind of ['skill', 'command'] as const) {
      const { candidates, faults } = await candidatesIn(place, kind);
      loaded.faults.push(...faults);
      for (const candidate of candidates) await take(candidate, here, loaded.faults);
    }
    for (const [name, skill] of here) loaded.skills.set(name, skill);
  }
  return loaded;
}

async function take(candidate: Candidate, here: Map<string, LoadedSkill>, faults: string[]): Promise<void> {
  const skill = await loadSkill(candidate);
  if ('fault' in skill) {
    faults.push(skill.fault);
    return;
  }
  const other = here.get(skill.name);
  if (other !== undefined)
    faults.push(`${visibleLine(other.path)}:1: it is not loaded: ${visibleLine(skill.path)} has its name.`);
  here.set(skill.name, skill);
}

async function placesOf(places: SkillPlaces, cwd: string): Promise<Place[]> {
  const { root, homes } = places;
  // A link of the person's own may lead out of the home, into a folder that they keep elsewhere.
  const own = homes.map((home) => ({
    base: join(home, 'planchart'),
    mayLie: (folder: string) => (place: string) => within(place, folder) || !within(place, root),
  }));
  const real = await realpath(cwd).catch(() => null);
  if (real === null || !(await places.trusted(real))) return own;
  const mayLie = () => (place: string) => within(place, real) && !within(place, root);
  return [...own, { base: join(real, '.planchart'), mayLie }];
}

async function candidatesIn(
  { base, mayLie }: Place,
  kind: Skill['kind'],
): Promise<{ candidates: Candidate[]; faults: string[] }> {
  const folder = join(base, `${kind}s`);
  const entries = await entriesOf(folder);
  if ('fault' in entries) return { candidates: [], faults: entries.fault === null ? [] : [entries.fault] };
  const candidates = entries.found.flatMap((entry) => candidateOf(folder, kind, entry));
  const cut = entries.more
    ? [`${visibleLine(folder)}:1: only its first ${mostEntries} entries are looked at.`]
    : [];
  return { candidates: candidates.map((one) => ({ ...one, mayLie: mayLie(folder) })), faults: cut };
}

async function entriesOf(
  folder: string,
): Promise<{ found: Dirent[]; more: boolean } | { fault: string | null }> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const visible = entries.filter(({ name }) => !name.startsWith('.'));
    const sorted = visible.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return { found: sorted.slice(0, mostEntries), more: sorted.length > mostEntries };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { fault: null };
    return { fault: `${visibleLine(folder)}:1: it can't be read (${code}).` };
  }
}

function candidateOf(
  folder: string,
  kind: Skill['kind'],
  entry: Dirent,
): Pick<Candidate, 'kind' | 'name' | 'path'>[] {
  const path = join(folder, entry.name);
  if (entry.name.endsWith('.md')) return [{ kind, name: entry.name.slice(0, -3), path }];
  // Where a link leads is judged when the file in it is read.
  const isFolder = entry.isDirectory() || entry.isSymbolicLink();
  return kind === 'skill' && isFolder ? [{ kind, name: entry.name, path: join(path, 'SKILL.md') }] : [];
}
