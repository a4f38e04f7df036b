import { OWN_FOLDER, pickFiles } from './explore.ts';
import type { Draft, DraftStep } from './plan-text.ts';
import type { Facts } from './tool-text.ts';
import { requestLine, requestWords, slug } from './words.ts';

/** What a person asked for and what was found out about the tree. */
export interface Found {
  title: string;
  request: string;
  facts: Facts;
}

/** A plan for a user's tree: it only ever makes new files in one new folder, and says so (D5). */
export function draftPlan({ title, request, facts }: Found): Draft {
  const words = requestWords(request);
  const folder = freeFolder(slug(title), facts.files);
  const asked = requestLine(request);
  return {
    title,
    problem: `"${asked}" is asked for and not done yet; ${whatWasFound(facts, words)}.`,
    targetState: `\`${folder}\` describes what is there today, the places that the request touches and the checks for it, ready for the one who makes the change.`,
    intent:
      'It was asked for in this session; going through it once shows the way from request to finished checklist.',
    constraints: `Creates only new files under \`${folder}\`; changes and deletes no existing file.`,
    outOfScope: 'The change itself; fixed rules cannot make it, a real model (`--model openai:<model>`) can.',
    steps: draftSteps(folder, facts, words),
  };
}

function freeFolder(name: string, files: readonly string[]): string {
  let folder = `${OWN_FOLDER}/${name}/`;
  for (let n = 2; files.some((file) => file.startsWith(folder)); n += 1)
    folder = `${OWN_FOLDER}/${name}-${n}/`;
  return folder;
}

function whatWasFound({ files, hits }: Facts, words: readonly string[]): string {
  if (files.length === 0) return 'the folder holds no files yet';
  const known = `the folder holds ${count(files.length, 'file')}`;
  const shown = words.map((word) => `"${word}"`).join(', ');
  if (words.length === 0) return known;
  if (hits.size === 0) return `${known} and none of them says ${shown}`;
  return `${known} and ${hits.size} of them ${hits.size === 1 ? 'says' : 'say'} ${shown}`;
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

function draftSteps(folder: string, facts: Facts, words: readonly string[]): DraftStep[] {
  const files = pickFiles(facts, words).filter((file) => facts.texts.has(file));
  const basics = files.filter((file) => !file.includes('/') && /^(?:package\.json|readme\b.*)$/i.test(file));
  const touched = files.filter((file) => !basics.includes(file));
  const checked = basics.includes('package.json') ? ['package.json'] : basics.slice(0, 1);
  const quoted = words.map((word) => `"${word}"`).join(', ');
  const steps: DraftStep[] = [
    {
      title: 'Describe what is there',
      description: `write the new file \`${folder}overview.md\` about ${list(basics, touched)}.`,
      doneWhen: `\`${folder}overview.md\` names each of these files with its size and outline.`,
    },
  ];
  if (touched.length > 0) {
    steps.push({
      title: 'Mark the places that the request touches',
      description: `write the new file \`${folder}places.md\` with the lines of ${list(touched, [])} that say ${quoted || 'what they export'}.`,
    });
  }
  steps.push(
    {
      title: 'Lay down the checks',
      description: `write the new file \`${folder}checks.md\` with the scripts and steps in ${list(checked, [])} that show the change working.`,
    },
    {
      title: 'Tie it together',
      description: `write the new file \`${folder}README.md\` that lists the files of this folder and what is left to do.`,
      doneWhen: `\`${folder}README.md\` names every file made before it.`,
    },
  );
  return steps;
}

function list(files: readonly string[], more: readonly string[]): string {
  const all = [...files, ...more].filter((file) => !file.includes('`')).map((file) => `\`${file}\``);
  if (all.length === 0) return 'this folder';
  return all.length === 1 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}
