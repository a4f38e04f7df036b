import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSkills } from '../../../adapters/skills/index.ts';
import { isBuiltInCommand } from '../../../machines/index.ts';
import { helpText } from '../../../adapters/tui/help.ts';
import { parseCommand } from '../../../adapters/tui/commands.ts';
import { markdown, skillWorld, writeTree } from './places.ts';

const names = ({ all }: { all: readonly { kind: string; name: string }[] }): string[] =>
  all.map(({ kind, name }) => `${kind} ${name}`);

describe('where skills and commands are found', () => {
  it('in the home and in a trusted folder, as files and as folders', async () => {
    const { own, project, list } = skillWorld();
    writeTree(own, {
      'skills/pdf/SKILL.md': markdown('Reads PDF files', 'Use pdftotext.', 'name: pdf\n'),
      'skills/pdf/notes.md': 'not a skill',
      'skills/short.md': markdown('Short answers', 'Be short.'),
      'commands/review.md': markdown('Reviews', 'Review $1.', 'arguments: "[file]"\nmodel: other\n'),
      'commands/.hidden.md': 'x',
      'commands/readme.txt': 'x',
    });
    writeTree(project, { '.planchart/skills/deploy.md': markdown('Deploys', 'Deploy.') });
    const found = await list();
    expect(found.faults).toEqual([]);
    expect(names(found)).toEqual(['skill deploy', 'skill pdf', 'command review', 'skill short']);
    expect(found.all[2]).toEqual({
      kind: 'command',
      name: 'review',
      description: 'Reviews',
      arguments: '[file]',
      path: join(own, 'commands/review.md'),
    });
  });

  it('none at all where there are no folders', async () => {
    const { list, skills, project } = skillWorld();
    expect(await list()).toEqual({ all: [], faults: [] });
    expect(skills.folders).toEqual([]);
    expect(await skills.list(join(project, 'gone'))).toEqual({ all: [], faults: [] });
  });

  it('D53 not in a folder that is not trusted, which is asked about by its real path', async () => {
    const { folder, project, skills, asked } = skillWorld('refused');
    writeTree(project, { '.planchart/commands/deploy.md': markdown('Deploys', 'Deploy.') });
    symlinkSync(project, join(folder, 'link'));
    expect(await skills.list(join(folder, 'link'))).toEqual({ all: [], faults: [] });
    expect(await skills.expand('/deploy', project)).toBeNull();
    expect(asked).toEqual([project, project]);
  });

  it('0056 the project before the profile before the home, and a command before a skill', async () => {
    const { home, project } = skillWorld();
    const profile = join(home, 'profiles/work');
    writeTree(join(home, 'planchart'), {
      'commands/a.md': markdown('of the home', 'home a'),
      'commands/b.md': markdown('of the home', 'home b'),
      'commands/c.md': markdown('of the home', 'home c'),
    });
    writeTree(join(profile, 'planchart'), {
      'commands/a.md': markdown('of the profile', 'profile a'),
      'commands/b.md': markdown('of the profile', 'profile b'),
    });
    writeTree(project, {
      '.planchart/commands/a.md': markdown('of the project', 'project a'),
      '.planchart/skills/a.md': markdown('a skill', 'skill a'),
    });
    const skills = createSkills({ root: home, homes: [home, profile], trusted: async () => true });
    const { all, faults } = await skills.list(project);
    expect(all.map(({ kind, description }) => `${kind} ${description}`)).toEqual([
      'command of the project',
      'command of the profile',
      'command of the home',
    ]);
    expect(faults).toEqual([
      `${project}/.planchart/skills/a.md:1: it is not loaded: ${project}/.planchart/commands/a.md has its name.`,
    ]);
  });

  it('reads them anew each time', async () => {
    const { own, project, skills } = skillWorld();
    writeTree(own, { 'commands/a.md': markdown('A', 'first') });
    expect((await skills.expand('/a', project))?.text).toBe('first');
    writeTree(own, { 'commands/a.md': markdown('A', 'second') });
    expect((await skills.expand('/a', project))?.text).toBe('second');
  });
});

describe('a file that is not as it has to be', () => {
  const good = { 'commands/good.md': markdown('Good', 'Good.') };
  it.each([
    ['commands/none.md', 'Just text.', /none\.md:1: it has no front matter between two lines of "---"\.$/u],
    ['commands/open.md', '---\ndescription: x\n', /open\.md:1: it has no front matter/u],
    ['commands/yaml.md', '---\nname: yaml\ndescription: [a\n---\nx\n', /yaml\.md:[34]: front matter: /u],
    [
      'commands/code.md',
      '---js\n{ description: process.exit(9) }\n---\nx\n',
      /code\.md:1: front matter: "js" front matter is code/u,
    ],
    [
      'commands/missing.md',
      '---\nname: missing\n---\nx\n',
      /missing\.md:1: front matter "description" has to be a text/u,
    ],
    [
      'commands/list.md',
      '---\nname: list\ndescription: [a, b]\n---\nx\n',
      /list\.md:3: front matter "description" has to be/u,
    ],
    ['commands/blank.md', '---\ndescription: "  "\n---\nx\n', /blank\.md:2: front matter "description"/u],
    [
      'commands/takes.md',
      '---\ndescription: d\narguments: 7\n---\nx\n',
      /takes\.md:3: front matter "arguments" has to be/u,
    ],
    [
      'commands/other.md',
      '---\ndescription: d\nname: another\n---\nx\n',
      /other\.md:3: front matter "name" is "another", but the file says "other"\.$/u,
    ],
    [
      'commands/empty.md',
      '---\ndescription: d\n---\n\n',
      /empty\.md:1: it has no text below its front matter\.$/u,
    ],
    ['commands/Big Name.md', markdown('d', 'x'), /Big Name\.md:1: "Big Name" is no name: /u],
    [
      'commands/big.md',
      markdown('d', 'x'.repeat(64 * 1024)),
      /big\.md:1: it is not loaded: it is longer than 64 KiB\.$/u,
    ],
    [
      'commands/bytes.md',
      Uint8Array.from([0x2d, 0xff, 0xfe]),
      /bytes\.md:1: it is not loaded: it is not UTF-8 text\.$/u,
    ],
    [
      'skills/bare/notes.md',
      'x',
      /skills\/bare\/SKILL\.md:1: it is not loaded: it can't be read \(ENOENT\)\.$/u,
    ],
    ['commands/folder.md/x', 'x', /folder\.md:1: it is not loaded: it is no file\.$/u],
  ] as const)('%s is named with its line, and nothing else is lost', async (path, content, told) => {
    const { own, list } = skillWorld();
    writeTree(own, { ...good, [path]: content });
    const { all, faults } = await list();
    expect(all.map(({ name }) => name)).toEqual(['good']);
    expect(faults).toEqual([expect.stringMatching(told)]);
    expect(faults[0]?.startsWith(own)).toBe(true);
  });

  it('a folder with too many entries is cut, and says so', async () => {
    const { own, list } = skillWorld();
    mkdirSync(join(own, 'commands'));
    for (let at = 0; at < 201; at += 1)
      writeFileSync(join(own, 'commands', `c${String(at).padStart(3, '0')}.md`), markdown('d', 'x'));
    const { all, faults } = await list();
    expect(all).toHaveLength(200);
    expect(faults).toEqual([`${own}/commands:1: only its first 200 entries are looked at.`]);
  });

  it('control bytes are stripped, and what turns text around is made visible', async () => {
    const { own, project, skills, list } = skillWorld();
    writeTree(own, {
      'commands/a.md': markdown('"Red \u202e text"', 'Do\u001b[31m\u0007 it\u202e.\r\nNow.'),
    });
    const { all, faults } = await list();
    expect(faults).toEqual([]);
    expect(all[0]?.description).toBe('Red <U+202E> text');
    expect((await skills.expand('/a', project))?.text).toBe('Do[31m it<U+202E>.\nNow.');
  });
});

describe('D21 built-in commands', () => {
  const rows = [...helpText('switchable', { all: [], faults: [] }).matchAll(/^\/([a-z-]+)/gmu)];

  it('each row of /help is one', () => {
    expect(rows.length).toBeGreaterThan(12);
    for (const [, name = ''] of rows) {
      expect([name, isBuiltInCommand(name)]).toEqual([name, true]);
      const kinds = [`/${name}`, `/${name} x`].map((line) => parseCommand(line, 'switchable').kind);
      expect([name, kinds.some((kind) => kind !== 'own')]).toEqual([name, true]);
    }
  });

  it.each(['execute', 'show_plan', 'show-plan', 'showplan', 'exit', 'start', 'status'])(
    'a file does not take /%s',
    async (name) => {
      const { own, project, skills, list } = skillWorld();
      writeTree(own, {
        [`commands/${name}.md`]: markdown('Mine', 'Mine.'),
        [`skills/${name}/SKILL.md`]: markdown('Mine', 'Mine.'),
      });
      const { all, faults } = await list();
      expect(all).toEqual([]);
      expect(faults).toHaveLength(2);
      for (const fault of faults)
        expect(fault).toContain(`:1: /${name} is a command of planchart and can't be taken.`);
      expect(await skills.expand(`/${name}`, project)).toBeNull();
    },
  );
});

describe('D21 links', () => {
  it('one that leads elsewhere in the home is not followed', async () => {
    const { own, home, list } = skillWorld();
    writeTree(home, {
      'planchart.toml': markdown('key', 'api_key = "secret"'),
      'planchart/sessions/x/SKILL.md': markdown('Other session', 'secret'),
    });
    mkdirSync(join(own, 'skills'));
    mkdirSync(join(own, 'commands'));
    symlinkSync('../../planchart.toml', join(own, 'skills/config.md'));
    symlinkSync('../sessions/x', join(own, 'skills/other'));
    symlinkSync('../../planchart.toml', join(own, 'commands/keys.md'));
    const { all, faults } = await list();
    expect(all).toEqual([]);
    expect(faults).toHaveLength(3);
    for (const fault of faults) expect(fault).toContain('it leads out of its folder');
  });

  it("a person's own link out of the home is", async () => {
    const { own, folder, list } = skillWorld();
    writeTree(folder, { 'dotfiles/pdf/SKILL.md': markdown('PDF', 'x') });
    mkdirSync(join(own, 'skills'));
    symlinkSync(join(folder, 'dotfiles/pdf'), join(own, 'skills/pdf'));
    expect((await list()).all.map(({ path }) => path)).toEqual([join(own, 'skills/pdf/SKILL.md')]);
  });

  it("a project's link out of the project is not", async () => {
    const { home, folder, project, list } = skillWorld();
    writeTree(folder, { 'elsewhere.md': markdown('x', 'y') });
    writeTree(home, { 'planchart/notes.md': markdown('x', 'y') });
    mkdirSync(join(project, '.planchart/commands'), { recursive: true });
    symlinkSync(join(folder, 'elsewhere.md'), join(project, '.planchart/commands/a.md'));
    symlinkSync(join(home, 'planchart/notes.md'), join(project, '.planchart/commands/b.md'));
    const { all, faults } = await list();
    expect([all, faults.length]).toEqual([[], 2]);
  });

  it('a link in the place of the folder opens nothing for an agent', () => {
    const { own, skills } = skillWorld();
    symlinkSync('..', join(own, 'skills'));
    expect(skills.folders).toEqual([]);
  });
});

describe('what a command line stands for', () => {
  it.each([
    ['Review $1 for $2.', '/c a.ts bugs', 'Review a.ts for bugs.'],
    ['Review $ARGUMENTS now.', '/c a.ts  b.ts', 'Review a.ts  b.ts now.'],
    ['One $1, two $2.', `/c "a b" 'c d'`, 'One a b, two c d.'],
    ['Only $1 and $3.', '/c a', 'Only a and .'],
    ['No place.', '/c', 'No place.'],
    ['No place.', '/c do it', 'No place.\n\ndo it'],
    ['Costs $10 and $ARGUMENTSX.', '/c', 'Costs $10 and $ARGUMENTSX.'],
    ['Say $1.', '/c $2 $ARGUMENTS', 'Say $2.'],
    ['Say $1.', "/c $& $'", 'Say $&.'],
    ['Run !`id` and $(id) in $1', '/c `id`', 'Run !`id` and $(id) in `id`'],
    ['Two\n\nparts: $ARGUMENTS', '  /c\tfirst\nsecond ', 'Two\n\nparts: first\nsecond'],
  ])('%j with %j', async (template, typed, text) => {
    const { own, project, skills } = skillWorld();
    writeTree(own, { 'commands/c.md': markdown('C', template) });
    expect(await skills.expand(typed, project)).toEqual({ path: join(own, 'commands/c.md'), text });
  });

  it.each(['c', '/C', '/c/d', '/cc', '//c', 'say /c', '/', ''])('nothing for %j', async (typed) => {
    const { own, project, skills } = skillWorld();
    writeTree(own, { 'commands/c.md': markdown('C', 'x') });
    expect(await skills.expand(typed, project)).toBeNull();
  });
});
