export { createSkills } from './skills.ts';
