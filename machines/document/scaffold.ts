import { tidy } from './white-space.ts';

/**
 * The untouched plan that `init mode=design` writes: labels and steps without text, so it cannot be approved
 * before someone has written something (D24).
 */
export function scaffold(title: string): string {
  // A comment opened in the title would hide the whole plan.
  const heading = tidy(title).replaceAll('<!--', '<! --');
  return [
    `# ${heading}`,
    '## Context',
    '- **Problem:** ',
    '- **Target state:** ',
    '- **Intent:** ',
    '## Implementation steps',
    '1. ',
    '   - Done when: ',
    '',
  ].join('\n');
}
