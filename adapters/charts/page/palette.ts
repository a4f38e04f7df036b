/** Colours of the page, by their use. Nothing is told by a colour alone: each mark has a shape and a word as well. */
export const palettes = {
  light: {
    page: '#f3f4f6',
    panel: '#ffffff',
    sunken: '#eef0f3',
    text: '#1b1f24',
    muted: '#555d66',
    line: '#c3c9d0',
    edge: '#57606a',
    lit: '#0b4fa8',
    litFill: '#d6e7ff',
    onLit: '#ffffff',
    queued: '#7a4a00',
    bad: '#a32115',
    badFill: '#fdeceb',
    focus: '#b3387a',
  },
  dark: {
    page: '#0e1116',
    panel: '#171b22',
    sunken: '#1f252e',
    text: '#e8edf3',
    muted: '#a0a9b4',
    line: '#3a424d',
    edge: '#98a1ac',
    lit: '#8cc4ff',
    litFill: '#123a66',
    onLit: '#06182c',
    queued: '#f0b45a',
    bad: '#ff9d94',
    badFill: '#3a1a1a',
    focus: '#ff9ecf',
  },
} as const;

type Colour = keyof (typeof palettes)['light'];

/** Every pair of text and ground that the page uses; each has a contrast of at least 4.5 in both schemes. */
export const textPairs: readonly (readonly [text: Colour, ground: Colour])[] = [
  ['text', 'page'],
  ['text', 'panel'],
  ['text', 'sunken'],
  ['text', 'litFill'],
  ['muted', 'page'],
  ['muted', 'panel'],
  ['muted', 'sunken'],
  ['lit', 'panel'],
  ['lit', 'sunken'],
  ['lit', 'litFill'],
  ['onLit', 'lit'],
  ['queued', 'panel'],
  ['queued', 'sunken'],
  ['bad', 'panel'],
  ['bad', 'sunken'],
  ['bad', 'badFill'],
  ['text', 'badFill'],
];

/** Pairs of an outline and what it stands on: at least 3. */
export const outlinePairs: readonly (readonly [outline: Colour, ground: Colour])[] = [
  ['lit', 'panel'],
  ['edge', 'panel'],
  ['edge', 'sunken'],
  ['focus', 'panel'],
  ['focus', 'page'],
  ['focus', 'sunken'],
];

/** The palette as CSS variables, such as `--lit-fill`. */
export const variables = (scheme: keyof typeof palettes): string =>
  Object.entries(palettes[scheme])
    .map(([name, value]) => `--${name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}: ${value};`)
    .join(' ');
