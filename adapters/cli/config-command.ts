import { type Setting, sourceWords } from '../config/index.ts';
import type { Settings } from './settings.ts';

type Shown = Pick<Settings, 'config' | 'folder'>;

/** Each key with its value and where that comes from; a secret is "set", and no more. */
export function configText({ config, folder }: Shown): string {
  const cells = config.settings.map((one) => [one.name, valueWords(one), sourceWords(one.source)] as const);
  const [names, values] = ([0, 1] as const).map((at) => Math.max(...cells.map((row) => row[at].length)));
  const rows = cells.map(
    ([name, value, source]) => `${name.padEnd(names ?? 0)}  ${value.padEnd(values ?? 0)}  ${source}`,
  );
  const files = config.files.map(({ path, state }) => `${path}${state === 'absent' ? '  (not there)' : ''}`);
  const project = folder.brings === null ? [] : [`${folder.brings}  (${trustWords(folder)})`];
  return `${[...rows, '', 'Files, the lowest precedence first:', ...[...files, ...project].map((line) => `  ${line}`)].join('\n')}\n`;
}

/** For scripts; `v` changes when a field changes its meaning. */
export function configJson({ config, folder }: Shown): string {
  const keys = config.settings.map((one) => ({
    key: one.name,
    value: jsonValue(one),
    source: one.source,
  }));
  const { files, warnings } = config;
  return `${JSON.stringify({ v: 1, keys, files, folder, warnings }, null, 2)}\n`;
}

const trustWords = ({ trust }: Settings['folder']): string =>
  ({ trusted: 'trusted', refused: 'not trusted', unasked: 'not trusted yet: planchart trust' })[trust];

function isSet({ value }: Setting): boolean {
  return value !== null && (typeof value !== 'object' || Object.keys(value).length > 0);
}

function jsonValue(one: Setting): Setting['value'] {
  if (one.shown === 'secret') return isSet(one) ? 'set' : null;
  return typeof one.value === 'string' ? masked(one.value) : one.value;
}

function valueWords(one: Setting): string {
  if (!isSet(one)) return Array.isArray(one.value) ? '[]' : '-';
  if (one.shown === 'secret') return 'set';
  return typeof one.value === 'string' ? masked(one.value) : JSON.stringify(one.value);
}

/** An address may hold a password. */
const masked = (address: string): string => address.replace(/\/\/[^/?#]*@/u, '//set@');
