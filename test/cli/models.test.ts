import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, type Script, startModelServer } from '../support/model-server.ts';
import { createWorld, lines, root, type World } from './planchart.ts';

let world: World;
let server: ModelServer;
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  world.end();
  await server.close();
});

/** One command line of the page, taken apart; `<model>` and `<key>` are filled in. */
interface Line {
  env: Record<string, string>;
  args: string[];
}

const page = readFileSync(join(root, 'docs/models.md'), 'utf8');
const documented = [...page.matchAll(/^(?:[A-Z_]+=\S+ )*npx planchart .*$/gmu)].map(([line]) => line);

function taken(line: string): Line {
  const filled = line.replaceAll('<model>', 'm-1').replaceAll('<key>', 'sk-documented');
  const [before = '', after = ''] = filled.split('npx planchart ');
  const env = [...before.matchAll(/([A-Z_]+)=(\S+)/gu)].map(([, name = '', value = '']) => [name, value]);
  const args = [...after.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, text, word]) => text ?? word ?? '');
  return { env: Object.fromEntries(env) as Record<string, string>, args };
}

async function addresses(script: Script): Promise<Record<string, string>> {
  server = await startModelServer(script);
  return { OPENAI_BASE_URL: server.baseUrl, ANTHROPIC_BASE_URL: new URL(server.baseUrl).origin };
}

describe('docs/models.md', () => {
  it('has command lines', async () => {
    await addresses([]);
    expect(documented.length).toBeGreaterThanOrEqual(3);
  });

  it.each(documented)('%s', async (line) => {
    const { env, args } = taken(line);
    const { code, stdout } = await world.run(args, {
      ...env,
      ...(await addresses([{ text: 'Hello.' }])),
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello.\n' });
    expect(server.requests).toMatchObject([{ model: 'm-1', messages: [{}, { content: 'say hello' }] }]);
    const key = Object.entries(env).find(([name]) => name.endsWith('_KEY'))?.[1];
    expect(JSON.stringify(server.headers[0]).includes('sk-documented')).toBe(key !== undefined);
  });
});

describe('planchart run --model anthropic:<model>', () => {
  const keys = { ANTHROPIC_API_KEY: 'sk-ant-very-secret', OPENAI_API_KEY: 'sk-oai-very-secret' };

  it('D54 a refused key: one line, exit 1, and no key on screen or on disk', async () => {
    const error = `invalid x-api-key ${keys.ANTHROPIC_API_KEY}, ${keys.OPENAI_API_KEY}`;
    const env = { ...keys, ...(await addresses([{ status: 400, error }])) };
    const { code, stdout, stderr } = await world.run(['--model', 'anthropic:m-1', 'run', 'hello'], env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(lines(stderr)).toEqual([
      expect.stringMatching(/^Session /u),
      expect.stringMatching(/^127\.0\.0\.1:\d+ .*model "m-1".*\.$/u),
    ]);
    expect(stderr).not.toContain('very-secret');
    const kept = readdirSync(world.home, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    expect(kept.length).toBeGreaterThan(1);
    for (const file of kept) {
      expect(readFileSync(join(file.parentPath, file.name), 'latin1')).not.toContain('very-secret');
    }
  });

  it.each([
    [
      { ANTHROPIC_API_KEY: 'sk-1234' },
      /^ANTHROPIC_API_KEY is set, .* use --model or \/model with anthropic:<model>\./mu,
    ],
    [{ ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }, /with anthropic:<model>\. Rehearsing meanwhile\.$/mu],
    [keys, /^OPENAI_API_KEY and ANTHROPIC_API_KEY are set, .* with openai:<model> or anthropic:<model>\./mu],
  ])('D54 %j alone chooses nothing and says how to', async (env, wanted) => {
    await addresses([]);
    const { code, stderr } = await world.run(['run', 'hello'], env);
    expect(code).toBe(0);
    expect(stderr).toMatch(wanted);
    expect(stderr).not.toContain('very-secret');
  });
});
