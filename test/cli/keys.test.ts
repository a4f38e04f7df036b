import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { createWorld, launcher, program, root, start, type World } from './planchart.ts';
import { join } from 'node:path';

let world: World;
let server: ModelServer;
beforeEach(async () => {
  world = createWorld();
  server = await startModelServer(() => ({ hang: true }));
});
afterEach(async () => {
  world.end();
  await server.close();
});

const key = 'sk-this-is-a-secret-key';
const args = ['--model', 'openai:test', 'run', 'hello'];

/** A turn that waits for its model: what the server was sent, and what the process shows of its environment. */
async function seen(command: string, more: readonly string[]) {
  const env = { ...world.env, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: key, PLAIN: 'yes' };
  const started = start(command, more, { cwd: world.project, env });
  await started.until(/^Session /mu);
  const end = Date.now() + 10_000;
  while (server.requests.length === 0) {
    if (Date.now() > end) throw new Error('no request');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const environ = readFileSync(`/proc/${started.child.pid}/environ`, 'utf8');
  started.child.kill('SIGTERM');
  await started.ended;
  return { environ, authorization: server.headers.at(-1)?.['authorization'] };
}

describe('D22 the key', () => {
  it('reaches the model, and is not in the environment that a command could read', async () => {
    const { environ, authorization } = await seen(launcher, args);
    expect(authorization).toBe(`Bearer ${key}`);
    expect(environ).toContain('PLAIN=yes');
    expect(environ).not.toContain(key);
  });

  it('reaches it without the launcher too, which then hides nothing', async () => {
    const { environ, authorization } = await seen(process.execPath, [program, ...args]);
    expect(authorization).toBe(`Bearer ${key}`);
    expect(environ).toContain(key);
  });

  it('of each setting that is a secret is passed by the launcher', () => {
    const schema = readFileSync(join(root, 'adapters/config/schema.ts'), 'utf8');
    const names = [...schema.matchAll(/\.\.\.secret, env: '([A-Z_]+)'/gu)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(1);
    const text = readFileSync(launcher, 'utf8');
    for (const name of names) expect(text).toMatch(new RegExp(`\\b${name}\\b`, 'u'));
  });
});
