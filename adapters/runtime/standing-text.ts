import { skillLines } from './extensions.ts';
import type { TurnWorld } from './turn-world.ts';

/** What each request of an agent begins with: its prompt, its folder, skills, and what the project tells every agent (D53). */
export async function standingText(world: TurnWorld, prompt: string, cwd: string): Promise<string[]> {
  const notes = await world.projectNotes(cwd);
  const skills = await skillLines(world, cwd);
  return [
    world.prompts.render(prompt, {}),
    `Working folder: ${cwd}`,
    ...(skills === '' ? [] : [world.prompts.render('skills', { skills })]),
    ...(notes === '' ? [] : [world.prompts.render('project-notes', { notes })]),
  ];
}
