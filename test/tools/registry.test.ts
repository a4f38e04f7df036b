import { describe, expect, it } from 'vitest';
import {
  classesOf,
  classOf,
  findTool,
  modelTools,
  parametersOf,
  readInput,
  tools,
} from '../../tools/registry.ts';
import { toolNamed } from './world.ts';

const table = [
  ['plan', 'plan'],
  ['read_file', 'read'],
  ['ls', 'read'],
  ['glob', 'read'],
  ['grep', 'read'],
  ['write_file', 'projectWrite'],
  ['edit_file', 'projectWrite'],
  ['hashline_edit', 'projectWrite'],
  ['bash', 'bash'],
  ['http_request', 'networkWrite'],
  ['spawn_agent', 'spawnOther'],
  ['follow_up_question', 'question'],
] as const;

describe('D21 the class goes by the tool name', () => {
  it('is this table and no more', () => {
    expect(tools.map((tool) => [tool.name, tool.class])).toEqual(table);
  });

  it.each(['Bash', 'write', 'read_file ', '__proto__', 'constructor', ''])('%j is unknown', (name) => {
    expect([classOf(name), findTool(name)]).toEqual(['unknown', null]);
  });
});

describe('D21 the further classes of a tool', () => {
  it('are these: a path can make a write one of the session plan, an input can make a call a read', () => {
    const several = tools.flatMap((tool) =>
      classesOf(tool).length > 1 ? [[tool.name, classesOf(tool)]] : [],
    );
    const writer = ['projectWrite', 'sessionPlan'];
    expect(Object.fromEntries(several)).toEqual({
      write_file: writer,
      edit_file: writer,
      hashline_edit: writer,
      http_request: ['networkWrite', 'read'],
      spawn_agent: ['spawnOther', 'spawnArchitect'],
    });
  });

  it('a tool that writes to a path may write to the session .md', () => {
    const call = { path: 'a', pattern: 'p', command: 'c', url: 'http://h.test/', operation: 'init' };
    for (const tool of tools) {
      const writes = tool.target?.(call)?.access === 'write';
      expect([tool.name, classesOf(tool).includes('sessionPlan')]).toEqual([tool.name, writes]);
    }
  });
});

describe('who is asked about', () => {
  const call = {
    path: 'a',
    content: 'b',
    old_text: 'a',
    new_text: 'b',
    command: 'c',
    pattern: 'p',
    question: 'q',
    url: 'http://h.test/',
    edits: [],
    agent_type: 'general',
    prompt: 'p',
  };

  it.each(table.filter(([name]) => name !== 'plan'))('%s', (name, kind) => {
    expect(findTool(name)?.asks(call)).toBe(['projectWrite', 'bash', 'networkWrite'].includes(kind));
  });

  it('D3 "for this session" covers the tool, of bash the exact command, of requests the host', () => {
    const keys = tools.map((tool) => tool.key?.(call) ?? tool.name);
    expect(keys.filter((key) => !table.some(([name]) => name === key))).toEqual([
      'bash c',
      'http_request read http://h.test',
    ]);
  });

  it('plan: only init', () => {
    const operations = ['init', 'add_tasks', 'add_task', 'start', 'complete', 'approve'];
    expect(operations.filter((operation) => findTool('plan')?.asks({ operation }))).toEqual(['init']);
  });

  it.each([
    ['read_file', { path: 'a' }, { path: 'a', access: 'read' }],
    ['ls', {}, { path: '.', access: 'read' }],
    ['glob', { pattern: '*' }, { path: '.', access: 'read' }],
    ['grep', { pattern: 'x', path: 'src' }, { path: 'src', access: 'read' }],
    ['write_file', { path: 'a', content: '' }, { path: 'a', access: 'write' }],
    ['edit_file', { path: 'a', old_text: 'x', new_text: 'y' }, { path: 'a', access: 'write' }],
    ['hashline_edit', { path: 'a', edits: [] }, { path: 'a', access: 'write' }],
    ['bash', { command: 'x' }, undefined],
    ['http_request', { url: 'http://h.test/' }, undefined],
    ['plan', { operation: 'init', file_path: 'x' }, undefined],
  ])('%s says which path the gate has to judge', (name, input, target) => {
    expect(findTool(name)?.target?.(input)).toEqual(target);
  });
});

describe('what the model is told', () => {
  it('is a plain object schema for every tool', () => {
    expect(modelTools()).toHaveLength(table.length);
    for (const { parameters, description } of modelTools()) {
      expect(parameters).toMatchObject({ type: 'object', properties: expect.any(Object) as object });
      expect(parameters).not.toHaveProperty('$schema');
      expect(description.length).toBeLessThan(1000);
    }
  });

  it('D42 a sub-agent is not told of what it never gets', () => {
    const names = (agent: 'general' | 'architect') => modelTools(agent).map(({ name }) => name);
    const never = ['plan', 'spawn_agent', 'follow_up_question'];
    expect(names('general')).toEqual(table.map(([name]) => name).filter((name) => !never.includes(name)));
    expect(names('architect')).toEqual(['read_file', 'ls', 'glob', 'grep', 'http_request']);
  });

  it('names every field of the smaller tools', () => {
    const fields = (name: string) => Object.keys(parametersOf(toolNamed(name)).properties ?? {});
    expect(fields('read_file')).toEqual(['path', 'offset', 'limit', 'hashes']);
    expect(fields('hashline_edit')).toEqual(['path', 'edits']);
    expect(fields('http_request')).toEqual(['url', 'method', 'headers', 'body']);
    expect(fields('edit_file')).toEqual(['path', 'old_text', 'new_text', 'all']);
    expect(fields('bash')).toEqual(['command', 'timeout_seconds']);
    expect(fields('spawn_agent')).toEqual(['agent_type', 'prompt']);
  });

  it('D52 asks for title, description, dependencies and criteria only', () => {
    const { properties } = parametersOf(toolNamed('plan')) as {
      properties: Record<string, { enum?: string[]; items?: { properties: object; required: string[] } }>;
    };
    expect(Object.keys(properties)).toEqual([
      'operation',
      'title',
      'description',
      'mode',
      'tasks',
      'file_path',
      'from',
      'task_order',
      'action',
      'output',
      'dependencies',
      'acceptance_criteria',
    ]);
    expect(properties.operation?.enum).toEqual(['init', 'add_tasks', 'add_task', 'start', 'complete']);
    expect(Object.keys(properties.tasks?.items?.properties ?? {})).toEqual([
      'title',
      'description',
      'dependencies',
      'acceptance_criteria',
    ]);
    expect(properties.tasks?.items?.required).toEqual(['title', 'description']);
  });

  it('D52 no text calls a checklist the plan', () => {
    const texts = JSON.stringify(modelTools());
    expect(texts).not.toMatch(/\bthe plan\b/i);
    expect(texts).toContain('SESSION PLAN');
    expect(texts).toContain('CHECKLIST');
  });
});

describe('readInput', () => {
  const read = (name: string, raw: unknown) => readInput(toolNamed(name), raw);

  it('takes null as left out, numbers as text, and drops unknown fields', () => {
    expect(read('read_file', { path: 'a', offset: null, limit: '5', extra: 1 })).toEqual({
      input: { path: 'a', limit: 5 },
    });
    expect(read('plan', { operation: 'add_tasks', tasks: [{ title: 'a', description: null }] })).toEqual({
      input: { operation: 'add_tasks', tasks: [{ title: 'a' }] },
    });
  });

  it('D52 takes the old fields, and forgets malformed ones', () => {
    const old = { task_type: { Other: 'x' }, complexity: 'high', artifacts: ['a'] };
    expect(read('plan', { operation: 'start', ...old, risks: [] })).toMatchObject({
      input: { operation: 'start' },
    });
    expect(read('plan', { operation: 'add_task', task_type: 'fix', complexity: 4 })).toMatchObject({
      input: { task_type: 'fix', complexity: 4 },
    });
  });

  it.each([
    ['read_file', {}, '- path: Invalid input: expected string, received undefined'],
    ['read_file', { path: 'a', offset: 'x' }, '- offset: Invalid input: expected number, received NaN'],
    ['plan', { operation: 'add_tasks', tasks: [{}, { title: 1 }] }, '- tasks[2].title: Invalid input'],
    ['plan', { operation: 'start', task_order: 'two' }, '- task_order: '],
    ['ls', 'text', '- arguments: Invalid input: expected object'],
    ['ls', null, '- arguments: Invalid input: expected object'],
  ])('says which field of %s does not fit: %j', (name, raw, fault) => {
    const answer = read(name, raw);
    expect(answer).toEqual({ text: expect.stringContaining(fault) as string });
    expect(answer).toEqual({ text: expect.stringContaining(`${name} was not run`) as string });
  });
});
