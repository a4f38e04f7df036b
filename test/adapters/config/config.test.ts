import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Config, type ConfigPlaces, readConfig, sourceWords } from '../../../adapters/config/config.ts';
import type { Place } from '../../../adapters/config/config-file.ts';
import { configKeys, type ConfigKey } from '../../../adapters/config/schema.ts';
import { root } from '../../cli/planchart.ts';
import { folder, write } from './folder.ts';

/** Reads files with these texts; a file is named after its place. */
async function read(
  texts: Partial<Record<Place, string>>,
  more: Partial<Omit<ConfigPlaces, 'files'>> = {},
): Promise<Config | { faults: readonly string[] }> {
  const at = folder();
  const files = (['home', 'profile', 'project'] as const).map((place) => ({ place, path: join(at, place) }));
  for (const { place, path } of files) if (texts[place] !== undefined) write(path, texts[place]);
  const found = await readConfig({ files, flags: {}, env: {}, ...more });
  const short = (lines: readonly string[]) => lines.map((line) => line.replaceAll(`${at}/`, ''));
  return 'faults' in found
    ? { faults: short(found.faults) }
    : { ...found, warnings: short(found.warnings), files: found.files };
}

async function good(...given: Parameters<typeof read>): Promise<Config> {
  const found = await read(...given);
  if ('faults' in found) throw new Error(found.faults.join('\n'));
  return found;
}

const named = (model: string): string => `[model]\nname = "${model}"\n`;

describe('D4 the order of precedence', () => {
  const texts = { home: named('home'), profile: named('profile'), project: named('project') };
  const env = { PLANCHART_MODEL: 'env' };

  it.each<[string, Parameters<typeof read>, RegExp]>([
    ['flag', [texts, { env, flags: { 'model.name': 'flag' } }], /^--model$/u],
    ['env', [texts, { env }], /^env PLANCHART_MODEL$/u],
    ['project', [texts], /\/project:2$/u],
    ['profile', [{ home: texts.home, profile: texts.profile }], /\/profile:2$/u],
    ['home', [{ home: texts.home }], /\/home:2$/u],
    ['rehearsal', [{}], /^default$/u],
    ['home', [{ home: texts.home }, { env: { PLANCHART_MODEL: ' ' } }], /\/home:2$/u],
  ])('%s', async (value, given, source) => {
    const found = (await good(...given)).get('model.name');
    expect(found.value).toBe(value);
    expect(sourceWords(found.source)).toMatch(source);
  });

  it('goes key by key', async () => {
    const config = await good({
      home: 'model.context = 2000\nlog.level = "off"',
      project: 'model.context = 3000',
    });
    expect(config.get('model.context').value).toBe(3000);
    expect(config.get('log.level').value).toBe('off');
  });
});

describe('what is wrong in a file', () => {
  it.each<[string, string, string]>([
    [
      'another type',
      '\nmodel.context = "big"',
      'home:2: model.context has to be a whole number of at least 1000, but it is "big".',
    ],
    [
      'a number too small',
      'model.context = 7',
      'home:1: model.context has to be a whole number of at least 1000, but it is 7.',
    ],
    [
      'a broken number',
      'shell.timeout = 1.5',
      'home:1: shell.timeout has to be a whole number of seconds from 1 to 600, but it is 1.5.',
    ],
    [
      'one word of three',
      '[log]\n# so\nlevel = "loud"',
      'home:3: log.level has to be "off", "info" or "debug", but it is "loud".',
    ],
    ['a value for a table', 'model = "openai:x"', 'home:1: model has to be a table, but it is "openai:x".'],
    [
      'a table for a value',
      '[model.name]\na = 1',
      'home:1: model.name has to be a string that is not empty, but it is a table.',
    ],
    ['an array of tables', '[[model]]\nname = "x"', 'home:1: model has to be a table, but it is an array.'],
    [
      'a date',
      'model.name = 2026-01-01',
      'home:1: model.name has to be a string that is not empty, but it is a date.',
    ],
    [
      'a blank text',
      'model.name = " "',
      'home:1: model.name has to be a string that is not empty, but it is " ".',
    ],
    [
      'a wrong secret, unquoted',
      'openai.api_key = 12345',
      'home:1: openai.api_key has to be a string that is not empty.',
    ],
    ['a server without a program', '[mcp.servers.db]\nargs = []', 'home:1: mcp.servers.db needs a command.'],
    [
      'a list with another kind',
      'telegram.allowed_ids = [1,\n "x"]',
      'home:1: telegram.allowed_ids has to be an array of Telegram user ids, whole numbers, but it is an array.',
    ],
    ['no TOML', '[model]\nname = \n', 'home:2:8: invalid value.'],
    ['a key without quotes', 'a = 1\nopenai.api_key = sk-secret', 'home:2:18: invalid value.'],
    [
      'the same key twice',
      '[model]\nname = "a"\nname = "b"',
      'home:3:1: trying to redefine an already defined table or value.',
    ],
  ])('%s', async (_name, home, line) => {
    expect(await read({ home })).toEqual({ faults: [line] });
  });

  it('says all that is wrong, in every file and variable', async () => {
    const found = await read(
      { home: 'model.context = 1\nlog.level = 1', project: 'shell.timeout = 0' },
      { env: { PLANCHART_LOG: 'loud' } },
    );
    expect(found).toEqual({
      faults: [
        expect.stringMatching(/^home:1: /u),
        expect.stringMatching(/^home:2: /u),
        expect.stringMatching(/^project:1: /u),
        'PLANCHART_LOG has to be "off", "info" or "debug".',
      ],
    });
  });

  it('an unknown key is a warning with its line, a table of them one warning', async () => {
    const home =
      '[model]\nnmae = 1\n[unknown.table]\na = 1\nb = 2\n[mcp.servers."a b"]\ncommand = "x"\n"__proto__" = 1\n';
    const { warnings } = await good({ home });
    expect(warnings.map((line) => line.replace(/ is no known key.*/u, ''))).toEqual([
      'home:2: model.nmae',
      'home:3: unknown',
      'home:6: mcp.servers.a b',
    ]);
  });

  it.each<[string, (path: string) => void, RegExp]>([
    ['a folder', (path) => mkdirSync(path), /planchart\.toml: it is not a file\.$/u],
    ['a pipe', (path) => void execFileSync('mkfifo', [path]), /: it is not a file\.$/u],
    ['not UTF-8', (path) => void write(path, new Uint8Array([0x61, 0xff])), /: it is not UTF-8 text\.$/u],
    ['too large', (path) => void write(path, `# ${'x'.repeat(1024 * 1024)}`), /: it is larger than/u],
    ['a link in a circle', (path) => symlinkSync(path, path), /: it can't be read \(ELOOP\)\.$/u],
  ])('%s in its place is a fault, not a silence', async (_name, make, line) => {
    const path = join(folder(), 'planchart.toml');
    make(path);
    const found = await readConfig({ files: [{ place: 'home', path }], flags: {}, env: {} });
    expect(found).toEqual({ faults: [expect.stringMatching(line)] });
  });
});

describe('secrets', () => {
  const key = 'sk-very-secret';

  it('a file with others allowed to look is a warning; a project is anyone’s', async () => {
    const path = write(join(folder(), 'planchart.toml'), 'model.context = 2000');
    const warned = async (place: Place, mode: number) => {
      chmodSync(path, mode);
      const found = await readConfig({ files: [{ place, path }], flags: {}, env: {} });
      return 'warnings' in found && found.warnings.length > 0;
    };
    expect(await warned('home', 0o600)).toBe(false);
    expect(await warned('home', 0o640)).toBe(true);
    expect(await warned('profile', 0o604)).toBe(true);
    expect(await warned('project', 0o644)).toBe(false);
  });

  it('are collected, also where another place overrides them', async () => {
    const { secrets, hidden } = await good(
      {
        home: `openai.api_key = "${key}"\ntelegram.token = "1:token"\n[mcp.servers.a]\ncommand = "x"\nenv = { T = "of-a-server", D = "1" }`,
      },
      { env: { OPENAI_API_KEY: 'sk-other', ANTHROPIC_API_KEY: 'sk-ant' } },
    );
    expect(secrets.toSorted()).toEqual(['1:token', 'sk-ant', 'sk-other', key]);
    expect(hidden).toEqual([...secrets, 'of-a-server']);
  });

  it('do not show in the words of a fault or a warning', async () => {
    for (const home of [
      `openai.api_key = [ "${key}" ]`,
      `openai.api_key = "${key}`,
      `a = ${key}`,
      `openai.key = "${key}"`,
    ]) {
      expect(JSON.stringify(await read({ home }))).not.toContain(key);
    }
  });
});

describe('what a project may set', () => {
  const keys = Object.entries(configKeys) as [string, ConfigKey][];
  const sample = (key: ConfigKey): string => {
    const values = ['"debug"', '2000', '60', 'true', '["1"]', '[1]', '{ a = "long-enough-value" }'];
    const parsed: unknown[] = ['debug', 2000, 60, true, ['1'], [1], { a: 'long-enough-value' }];
    return values[parsed.findIndex((value) => key.type.safeParse(value).success)] ?? '';
  };
  /** A server is nothing without a program. */
  const lineOf = (name: string, key: ConfigKey): string => {
    const command =
      name.includes('<name>') && !name.endsWith('.command') ? 'mcp.servers.s.command = "c"\n' : '';
    return `${command}${name.replace('<name>', 's')} = ${sample(key)}`;
  };

  it.each(keys)('%s', async (name, key) => {
    const found = name.replace('<name>', 's');
    const own = await good({ home: lineOf(name, key) });
    expect(own.settings.find((one) => one.name === found)?.source.kind).toBe('file');
    expect(own.warnings).toEqual([]);
    const project = await good({ project: lineOf(name, key) });
    const isFrom = project.settings.find((one) => one.name === found)?.source.kind === 'file';
    expect(isFrom).toBe(key.setBy === 'anyone');
    expect(project.warnings.length).toBe(key.setBy === 'anyone' ? 0 : 1);
  });

  it('is nothing that costs money, leaks or opens a gate', () => {
    const open = keys.filter(([, { setBy }]) => setBy === 'anyone').map(([name]) => name);
    expect(open).toEqual([
      'model.name',
      'model.context',
      'model.max_output',
      'shell.timeout',
      'mcp.servers.<name>.command',
      'mcp.servers.<name>.args',
      'mcp.servers.<name>.env',
    ]);
  });

  it('a wrong value of what it may not set is no fault', async () => {
    expect((await good({ project: 'openai.base_url = 1' })).warnings).toHaveLength(1);
  });
});

describe('MCP servers', () => {
  const home =
    '[mcp.servers.db]\ncommand = "db"\nargs = ["-x"]\nread_only = ["get"]\nenv = { T = "of-the-user" }';

  it('are read', async () => {
    expect((await good({ home })).servers).toEqual([
      {
        name: 'db',
        command: 'db',
        args: ['-x'],
        env: { T: 'of-the-user' },
        readOnly: ['get'],
        source: expect.anything(),
      },
    ]);
  });

  it('a project’s server of the same name gets neither the user’s variables nor rights (0047)', async () => {
    const { servers } = await good({ home, project: 'mcp.servers.db.command = "other"' });
    expect(servers).toMatchObject([{ command: 'other', args: [], env: {}, readOnly: [] }]);
  });
});

describe('docs/config.md', () => {
  it('has exactly the rows of the table', () => {
    const rows = (Object.entries(configKeys) as [string, ConfigKey][]).map(([name, key]) => {
      const also = [key.flag, key.env].flatMap((one) => (one === null ? [] : [`\`${one}\``])).join(', ');
      const standard = key.standard === null ? '' : `\`${JSON.stringify(key.standard)}\``;
      const has = key.shown === 'secret' ? `${key.expects}, secret` : key.expects;
      return [`\`${name}\``, has, standard, also, key.setBy === 'anyone' ? 'yes' : 'no', key.what];
    });
    const page = readFileSync(join(root, 'docs/config.md'), 'utf8');
    const found = page.split('\n').filter((line) => /^\| `[a-z]+\./u.test(line));
    expect(
      found.map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
    ).toEqual(rows);
  });
});
