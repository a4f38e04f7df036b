import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedNames, toolName } from '../../../adapters/mcp/names.ts';
import type { ToolSource } from '../../../adapters/ports.ts';
import { modelTools, readInput } from '../../../tools/registry.ts';
import type { ToolContext, ToolResult } from '../../../tools/types.ts';
import { until } from '../../support/harness.ts';
import { isAlive, mcpFolder, order, sourceOf } from './servers.ts';

const never = new AbortController().signal;

function run(source: ToolSource, name: string, input = {}, signal = never): Promise<ToolResult> {
  const tool = source.tools().find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  // Of the context these tools use the signal only.
  return tool.run(input, { signal } as ToolContext);
}

const pids = (did: readonly string[]): number[] =>
  did.flatMap((line) => (/^(?:started|child) \d+$/u.test(line) ? [Number(line.split(' ')[1])] : []));

describe('names', () => {
  it.each([
    ['db', 'read', 'mcp__db__read'],
    ['my-db', 'a.b/c d', 'mcp__my-db__a_b_c_d'],
    ['db', 'ü\u001b', 'mcp__db____'],
    ['db', 'x'.repeat(100), `mcp__db__${'x'.repeat(55)}`],
  ])('%s %j', (server, tool, name) => {
    expect(toolName(server, tool)).toBe(name);
  });

  it('two that come out the same are both found', () => {
    expect(sharedNames(['a', 'b', 'a', 'c', 'b', 'a'])).toEqual(new Set(['a', 'b']));
  });
});

describe('servers', () => {
  it('start when tools are first asked for, once, and are all told of', async () => {
    const { folder, log, did } = mcpFolder();
    const source = sourceOf(folder, [order(log, 'db', 'works', { readOnly: ['lookup'] })]);
    expect([source.tools(), did()]).toEqual([[], []]);
    expect(await source.ready(never)).toEqual([]);
    expect(await source.ready(never)).toEqual([]);
    expect(did()).toHaveLength(1);
    const told = modelTools('main', source.tools()).filter(({ name }) => name.startsWith('mcp__'));
    expect(told[2]).toEqual({
      name: 'mcp__db__lookup',
      description: 'MCP server db. The lookup tool.',
      parameters: expect.objectContaining({
        type: 'object',
        properties: { key: { type: 'string' } },
      }),
    });
    expect(told[2]?.parameters).not.toHaveProperty('$schema');
    expect(told.find(({ name }) => name.endsWith('noisy'))?.description).toBe(
      'MCP server db. Loud [31mred[0m.',
    );
  });

  it('D21 only the user opens a tool, and a label only narrows', async () => {
    const { folder, log } = mcpFolder();
    const readOnly = ['lookup', 'shady', 'changes', 'gone'];
    const source = sourceOf(folder, [order(log, 'db', 'works', { readOnly })]);
    const told = await source.ready(never);
    expect(told).toEqual([
      'MCP server db: read_only names gone, which it does not have.',
      'MCP server db: shady is in read_only, but the server says that it changes things, so it stays closed in Plan mode.',
      'MCP server db: changes is in read_only, but the server says that it changes things, so it stays closed in Plan mode.',
    ]);
    const classes = source.tools().map((tool) => [tool.name.slice(9), tool.class, tool.asks({})]);
    expect(classes.slice(0, 5)).toEqual([
      ['inspect', 'unknown', true],
      ['wipe', 'unknown', true],
      ['lookup', 'read', false],
      ['shady', 'unknown', true],
      ['changes', 'unknown', true],
    ]);
    const architect = modelTools('architect', source.tools()).map(({ name }) => name);
    expect(architect.filter((name) => name.startsWith('mcp__'))).toEqual(['mcp__db__lookup']);
  });

  it('get the arguments as the model wrote them, and their own errors come back', async () => {
    const { folder, log, did } = mcpFolder();
    const source = sourceOf(folder, [order(log, 'db', 'works')]);
    await source.ready(never);
    expect(await run(source, 'mcp__db__lookup', { key: 'k1' })).toEqual({ text: 'lookup answers k1' });
    expect(did().at(-1)).toBe('lookup k1');
    const wrong = await run(source, 'mcp__db__lookup', { key: 7 });
    expect(wrong).toMatchObject({ failed: true, text: expect.stringContaining('key') });
    expect(await run(source, 'mcp__db__breaks')).toEqual({ text: 'disk is full', failed: true });
    const lookup = source.tools().find(({ name }) => name === 'mcp__db__lookup');
    if (lookup === undefined) throw new Error('no lookup');
    // Whether null may stand there is the server's to say.
    expect(readInput(lookup, { key: null })).toEqual({ input: { key: null } });
    expect(readInput(lookup, 'text')).toHaveProperty('text');
  });

  it('results are data: harmless, bounded, and without what is not text', async () => {
    const { folder, log } = mcpFolder();
    const source = sourceOf(folder, [order(log, 'db', 'works')]);
    await source.ready(never);
    const { text } = await run(source, 'mcp__db__noisy');
    expect(text).toMatch(/^\u241b\[2J<U\+202E>cleared\n\[image, image\/png: not shown\]\nx+\n/u);
    expect(text.length).toBeLessThan(66_000);
    expect(text).toMatch(/\n\[… 34\d{3} characters more were left out\.\]$/u);
  });

  it('D22 get the environment of a child process and their own variables, and work in the folder', async () => {
    const { folder, log } = mcpFolder();
    const source = sourceOf(folder, [order(log, 'db', 'works', { env: { DB_URL: 'db.test' } })]);
    await source.ready(never);
    const env = JSON.parse((await run(source, 'mcp__db__env')).text) as Record<string, string>;
    expect(Object.keys(env).toSorted()).toEqual(['DB_URL', 'PATH', 'cwd']);
    expect([env['DB_URL'], env['cwd']]).toEqual(['db.test', folder]);
  });
});

describe('a server that is no good is one line, and the others work', () => {
  it('that fails, is missing, or is silent', async () => {
    const { folder, log } = mcpFolder();
    const servers = [
      order(log, 'bad', 'fails'),
      order(log, 'mute', 'silent'),
      order(log, 'gone', 'works', { command: join(folder, 'no-such-program') }),
      order(log, 'db', 'works'),
    ];
    const source = sourceOf(folder, servers, { startMs: 3000 });
    const told = await source.ready(never);
    expect(told.toSorted()).toEqual([
      'The MCP server bad did not start, so its tools are missing: it ended with exit code 3: no database at db.test.',
      expect.stringMatching(/^The MCP server gone did not start, .*: spawn .*no-such-program ENOENT\.$/u),
      'The MCP server mute did not start, so its tools are missing: it did not answer within 3 s.',
    ]);
    expect(new Set(source.tools().map(({ name }) => name.split('__')[1]))).toEqual(new Set(['db']));
    expect(await source.ready(never)).toEqual([]);
  });

  it('that dies in a call: the call says so, and its tools go', async () => {
    const { folder, log } = mcpFolder();
    const source = sourceOf(folder, [order(log, 'db', 'works')]);
    await source.ready(never);
    expect(await run(source, 'mcp__db__dies')).toEqual({
      text: 'dies: the MCP server db is gone, it ended with exit code 7: out of memory.',
      failed: true,
    });
    expect(source.tools()).toEqual([]);
    expect(await source.ready(never)).toEqual([
      'The MCP server db is gone, it ended with exit code 7: out of memory. Its tools come back with the next start of planchart.',
    ]);
    expect(await source.ready(never)).toEqual([]);
  });

  it('whose tools would be called the same: neither can be used', async () => {
    const { folder, log } = mcpFolder();
    const source = sourceOf(folder, [order(log, 'db', 'twins')]);
    expect(await source.ready(never)).toEqual([
      'Two tools of MCP servers would both be called mcp__db__a_b; neither can be used.',
    ]);
    const names = source.tools().map(({ name }) => name);
    expect(names).not.toContain('mcp__db__a_b');
    expect(names).toContain('mcp__db__lookup');
  });

  it('that writes what is no message beside its messages works all the same', async () => {
    const { folder, log } = mcpFolder();
    const source = sourceOf(folder, [order(log, 'db', 'babbles')]);
    expect(await source.ready(never)).toEqual([]);
    expect(await run(source, 'mcp__db__lookup')).toEqual({ text: 'lookup answers nothing' });
  });
});

describe('ends', () => {
  it('D16 a call ends with its turn, and the server is told', async () => {
    const { folder, log, did } = mcpFolder();
    const source = sourceOf(folder, [order(log, 'db', 'works')]);
    await source.ready(never);
    const turn = new AbortController();
    const running = run(source, 'mcp__db__slow', {}, turn.signal);
    await until('the call runs', () => did().includes('slow began'));
    turn.abort();
    expect(await running).toMatchObject({
      failed: true,
      text: expect.stringContaining('the turn was cancelled'),
    });
    await until('the server heard of it', () => did().includes('slow cancelled'));
  });

  it('a call that takes too long is given up, and the server is told', async () => {
    const { folder, log, did } = mcpFolder();
    const source = sourceOf(folder, [order(log, 'db', 'works')], { callMs: 300 });
    await source.ready(never);
    const { text, failed } = await run(source, 'mcp__db__slow');
    expect([failed, text]).toEqual([
      true,
      'slow: the server did not answer in time; it may have done a part of it.',
    ]);
    await until('the server heard of it', () => did().includes('slow cancelled'));
  });

  it('a turn that is stopped does not wait for a start; the next one does', async () => {
    const { folder, log } = mcpFolder();
    const source = sourceOf(folder, [order(log, 'db', 'works')]);
    const turn = new AbortController();
    turn.abort();
    expect(await source.ready(turn.signal)).toEqual([]);
    expect(source.tools()).toEqual([]);
    await source.ready(never);
    expect(source.tools().length).toBeGreaterThan(5);
  });

  it('with the program, whatever a server started goes too', async () => {
    const { folder, log, did } = mcpFolder();
    const source = sourceOf(folder, [order(log, 'db', 'works'), order(log, 'rude', 'stubborn')]);
    await source.ready(never);
    const started = pids(did());
    expect(started).toHaveLength(3);
    expect(started.map(isAlive)).toEqual([true, true, true]);
    await source.close();
    await until('all are gone', () => started.every((pid) => !isAlive(pid)));
    expect([source.tools(), await source.ready(never)]).toEqual([[], []]);
  });

  it('a program that leaves while a server starts does not wait for it', async () => {
    const { folder, log, did } = mcpFolder();
    const source = sourceOf(folder, [order(log, 'mute', 'silent')]);
    const ready = source.ready(never);
    await until('it runs', () => did().length === 1);
    const before = Date.now();
    await source.close();
    await ready;
    expect(Date.now() - before).toBeLessThan(10_000);
    await until('it is gone', () => pids(did()).every((pid) => !isAlive(pid)));
  });
});
