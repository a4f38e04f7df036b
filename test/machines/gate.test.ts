import { describe, expect, it } from 'vitest';
import {
  agentClosed,
  type AgentKind,
  derive,
  entryKinds,
  gate,
  gateTable,
  type GateRequest,
  type Phase,
  isWithin,
  toolClasses,
  type ToolClass,
} from '../../machines/index.ts';
import { home, paths, sessionIn, turnId } from '../support/samples.ts';
import { busyIn, requestOf } from '../support/samples-gate.ts';
import { matrix } from '../support/samples-matrix.ts';

const phases: readonly Phase[] = matrix.states;
const editing: readonly Phase[] = ['preInit', 'postInit'];
const path = (at: string, access: 'read' | 'write') => ({ path: at, access });
const answer = (phase: Phase, request: GateRequest) => gate(busyIn(phase), request);
const codeOf = (phase: Phase, request: GateRequest) => {
  const verdict = answer(phase, request);
  return verdict.kind === 'deny' ? verdict.code : verdict.kind;
};
const writing = (at: string, tool: ToolClass = 'projectWrite') =>
  requestOf({ class: tool, target: path(at, 'write') });
const reading = (at: string) => requestOf({ class: 'read', target: path(at, 'read') });

describe('D21 paths', () => {
  it.each([
    ['the folder itself', '/home/x', '/home/x', true],
    ['a file in it', '/home/x/a', '/home/x', true],
    ['a file below it', '/home/x/a/b', '/home/x', true],
    ['a trailing slash', '/home/x/a', '/home/x/', true],
    ['the root', '/etc', '/', true],
    ['a name that only begins like it', '/home/xy', '/home/x', false],
    ['a file that only begins like it', '/home/x.md', '/home/x', false],
    ['the parent', '/home', '/home/x', false],
    ['another case', '/home/X/a', '/home/x', false],
  ])('isWithin: %s', (_, at, folder, within) => {
    expect(isWithin(at, folder)).toBe(within);
  });

  it.each(phases)('home is closed to every writer in %s, whatever the class of the tool', (phase) => {
    for (const tool of toolClasses) {
      for (const at of [home, `${home}/planchart.toml`, `${home}/session/x.md`, paths.sidecar]) {
        expect(codeOf(phase, writing(at, tool))).toBe('GATE_CLOSED');
      }
    }
  });

  it.each(phases)('what a folder brings along for planchart is closed to every writer in %s', (phase) => {
    for (const tool of toolClasses) {
      for (const at of [
        '/p/.planchart',
        '/p/.planchart/config.toml',
        '/.PlanChart/a',
        '/p/sub/.planchart/b/c',
      ]) {
        expect(codeOf(phase, writing(at, tool))).toBe('GATE_CLOSED');
      }
    }
    expect(codeOf('noPlan', writing('/p/.planchart.md'))).toBe('allow');
    expect(codeOf('noPlan', writing('/p/x.planchart/a'))).toBe('allow');
    expect(codeOf(phase, reading('/p/.planchart/config.toml'))).toBe('allow');
  });

  it('a folder beside home whose name begins like it is the project', () => {
    expect(codeOf('noPlan', writing(`${home}-old/notes.md`))).toBe('allow');
    expect(codeOf('postInit', writing(`${home}-old/notes.md`))).toBe('GATE_CLOSED');
  });

  it('the session .md is known by its resolved path alone', () => {
    expect(answer('postInit', writing(paths.document))).toEqual({
      kind: 'allow',
      class: 'sessionPlan',
      shell: 'project',
    });
    expect(codeOf('postInit', writing(`${paths.document}.bak`))).toBe('GATE_CLOSED');
    expect(codeOf('postInit', writing('/home/ann/project/.opencrabs_plan_1.md'))).toBe('GATE_CLOSED');
    expect(codeOf('postInit', requestOf({ class: 'sessionPlan' }))).toBe('allow');
  });

  it('reading home is closed too, this session’s own files excepted', () => {
    for (const phase of phases) {
      expect(codeOf(phase, reading(paths.document))).toBe('allow');
      expect(codeOf(phase, reading(paths.sidecar))).toBe('allow');
      expect(codeOf(phase, reading(`${home}/planchart.toml`))).toBe('GATE_CLOSED');
      expect(codeOf(phase, reading(`${paths.document}.bak`))).toBe('GATE_CLOSED');
      expect(codeOf(phase, reading(home))).toBe('GATE_CLOSED');
      expect(codeOf(phase, reading('/home/ann/project/readme.md'))).toBe('allow');
    }
  });

  it('a readable folder in home is readable as a whole', () => {
    const inside = { root: home, readable: [`${home}/planchart/skills`] };
    const read = (at: string) => requestOf({ class: 'read', target: path(at, 'read'), home: inside });
    expect(codeOf('postInit', read(`${home}/planchart/skills/a.md`))).toBe('allow');
    expect(codeOf('postInit', read(`${home}/planchart/skills-private/a.md`))).toBe('GATE_CLOSED');
  });
});

describe('D16 only the running turn passes', () => {
  const request = requestOf({ class: 'read' });

  it.each([
    ['no turn runs', sessionIn('checklist'), turnId],
    ['another turn runs', sessionIn('checklist', { turn: 'running' }), 'another'],
    ['it is being stopped', sessionIn('checklist', { turn: 'stopping' }), turnId],
    ['it is being discarded', sessionIn('checklist', { turn: 'discarding' }), turnId],
  ] as const)('%s: every call is refused CANCELLED, reads too', (_, session, turn) => {
    for (const tool of toolClasses) {
      const verdict = gate(derive(session).snapshot, { ...request, class: tool, turn });
      expect(verdict).toMatchObject({ kind: 'deny', code: 'CANCELLED' });
    }
  });
});

describe('D3 the gate follows the state and nothing else', () => {
  it.each(phases)('in %s it is the same for every entry kind, yolo or not', (phase) => {
    for (const tool of toolClasses) {
      const plain = answer(phase, requestOf({ class: tool }));
      for (const entry of entryKinds) {
        for (const yolo of [true, false]) {
          expect(gate(busyIn(phase, { entry, yolo }), requestOf({ class: tool }))).toEqual(plain);
        }
      }
    }
  });

  it('B15 a tool that is not listed is closed while a design is made', () => {
    for (const phase of editing) expect(codeOf(phase, requestOf({ class: 'unknown' }))).toBe('GATE_CLOSED');
  });

  it('B08 an open gate would contradict the oracle in every state', () => {
    for (const phase of phases) {
      const denied = matrix.gate.filter((cell) => cell.state === phase && cell.verdict === 'deny');
      expect(denied.length).toBeGreaterThan(0);
    }
  });

  it('only pre-init bash is read-only', () => {
    const readOnly = toolClasses.flatMap((tool) =>
      phases.filter((phase) => gateTable[tool][phase] === 'read-only').map((phase) => `${tool} ${phase}`),
    );
    expect(readOnly).toEqual(['bash preInit']);
    expect(answer('preInit', requestOf({ class: 'bash' }))).toMatchObject({ shell: 'readOnly' });
    expect(answer('checklist', requestOf({ class: 'bash' }))).toMatchObject({ shell: 'project' });
  });
});

describe('D42 sub-agents', () => {
  const kinds: readonly AgentKind[] = ['general', 'architect'];

  it('never get what is closed to them, in any state', () => {
    expect(agentClosed.main).toEqual([]);
    expect(agentClosed.general).toEqual(['plan', 'sessionPlan', 'question', 'spawnArchitect', 'spawnOther']);
    expect(toolClasses.filter((tool) => !agentClosed.architect.includes(tool))).toEqual(['read']);
    for (const agent of kinds) {
      for (const phase of phases) {
        for (const tool of agentClosed[agent]) {
          const isPlan = tool === 'plan' || tool === 'sessionPlan';
          const code = isPlan ? 'NOT_FOR_CHILD' : 'GATE_CLOSED';
          expect([agent, phase, tool, codeOf(phase, requestOf({ class: tool, agent }))]).toEqual([
            agent,
            phase,
            tool,
            code,
          ]);
        }
      }
    }
  });

  it('get of the rest what their parent gets, never more', () => {
    for (const agent of kinds) {
      for (const phase of phases) {
        const rest = toolClasses.filter((tool) => !agentClosed[agent].includes(tool));
        for (const tool of rest) {
          expect(answer(phase, requestOf({ class: tool, agent }))).toEqual(
            answer(phase, requestOf({ class: tool })),
          );
        }
      }
    }
  });

  it('the session .md is the session plan whatever a sub-agent writes it with', () => {
    for (const phase of phases) {
      expect(codeOf(phase, { ...writing(paths.document), agent: 'general' })).toBe('NOT_FOR_CHILD');
      expect(codeOf(phase, { ...writing(paths.sidecar), agent: 'general' })).toBe('GATE_CLOSED');
    }
  });

  it('D16 a cancel of the turn is told first', () => {
    const { snapshot } = derive(sessionIn('checklist', { turn: 'stopping' }));
    expect(gate(snapshot, requestOf({ class: 'plan', agent: 'architect' }))).toMatchObject({
      code: 'CANCELLED',
    });
  });
});

describe('a refusal says what is closed and what to do', () => {
  it.each([
    [
      'preInit',
      requestOf({ class: 'projectWrite', tool: 'write_file' }),
      /write_file.*`plan init`.*read_file/,
    ],
    ['postInit', requestOf({ class: 'bash', tool: 'bash' }), /only \S+\.md.*no bash.*read_file/],
    ['seeding', requestOf({ class: 'question', tool: 'ask' }), /add_tasks, then start/],
    ['seedFailedEmpty', requestOf({ class: 'bash' }), /\/execute.*\/discard/],
    ['seedFailedPartial', requestOf({ class: 'bash' }), /\/discard/],
    ['unreadable', requestOf({ class: 'bash' }), /cannot be read.*\/discard/],
    ['checklist', writing(paths.document), /frozen.*\/discard/],
    ['noPlan', writing(paths.document), /in review/],
    ['noPlan', writing(paths.sidecar), /closed to tools.*`plan` tool/],
    ['noPlan', reading(`${home}/planchart.toml`), /planchart\.toml.*closed/],
  ] as const)('%s', (phase, request, words) => {
    const verdict = answer(phase, request);
    expect(verdict).toMatchObject({ kind: 'deny', text: expect.stringMatching(words) });
  });
});
