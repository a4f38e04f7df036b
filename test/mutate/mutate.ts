import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { equivalent } from './equivalent.ts';
import { type Break, machines, mutants } from './mutants.ts';
import { byRows, byTests, type Oracle } from './oracle.ts';

// Breaks every machine in every typed way and asks what notices it: `npm run mutate [-- --machine <name>]`.

/** What notices a broken machine, the quick things first. */
const noticers: Readonly<Record<string, readonly string[]>> = {
  session: ['coverage', 'session.property'],
  keyboard: ['keyboard', 'keyboard-desired', 'keyboard-cover', 'keyboard-product'],
  flow: ['flow', 'flow-settle', 'flow.property', 'flow-cover'],
  agent: ['agent'],
};

interface Result {
  id: string;
  machine: string;
  break: Break;
  noticedBy: string | null;
}

const usage = `Usage: npm run mutate [-- --machine ${Object.keys(machines).join('|')}]`;

/** The machine as it is. */
const whole = { id: '' };

/** All breaks of one machine; each oracle is asked about what the ones before it did not notice. */
async function examine(machine: string): Promise<Result[]> {
  const results = mutants()
    .filter((mutant) => mutant.machine === machine)
    .map((mutant) => ({ mutant, noticedBy: null as string | null }));
  const ask = async (oracle: Oracle): Promise<void> => {
    for (const result of results.filter(({ noticedBy }) => noticedBy === null))
      result.noticedBy = await oracle(result.mutant);
  };
  if (machine === 'session') await ask(byRows());
  for (const name of noticers[machine] ?? []) {
    const tests = await byTests(`test/machines/${name}.test.ts`);
    // A test that fails anyway notices nothing.
    if ((await tests.oracle(whole)) !== null) throw new Error(`${name} fails with the machine as it is`);
    await ask(tests.oracle);
    await tests.close();
  }
  return results.map(({ mutant: { id, break: how }, noticedBy }) => ({ id, machine, break: how, noticedBy }));
}

/** Each machine in a process of its own, as many at once as there are cores. */
async function examineAll(names: readonly string[]): Promise<Result[]> {
  const waiting = [...names];
  const found: Result[] = [];
  const worker = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      found.push(...(await inChild(name)));
      console.error(`${name} is done`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return found;
}

function inChild(machine: string): Promise<Result[]> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, ['--child', machine]);
    child.on('message', (results) => resolve(results as Result[]));
    child.on('exit', (code) => reject(new Error(`The check of ${machine} ended with exit code ${code}`)));
  });
}

function report(results: readonly Result[]): string[] {
  const groups = Map.groupBy(results, ({ machine, break: how }) => `${machine}\t${how}`);
  const lines = [...groups].map(([name, of]) => {
    const noticed = of.filter(({ noticedBy }) => noticedBy !== null).length;
    const [machine = '', how = ''] = name.split('\t');
    return `${machine.padEnd(10)}${how.padEnd(20)}${String(noticed).padStart(5)} of ${String(of.length).padStart(4)}`;
  });
  const survivors = results.filter(({ noticedBy }) => noticedBy === null);
  const same = survivors.filter(({ id }) => id in equivalent);
  const score = (results.length - survivors.length) / (results.length - same.length);
  return [
    ...lines.toSorted(),
    ...same.map(({ id }) => `equivalent: ${id}\n  ${equivalent[id]}`),
    ...survivors.filter(({ id }) => !(id in equivalent)).map(({ id }) => `SURVIVED: ${id}`),
    ...staleReasons(results).map((id) => `NOTICED, though it is said to be equivalent: ${id}`),
    `${results.length} mutants, ${results.length - survivors.length} noticed, ${same.length} equivalent, score ${(100 * score).toFixed(1)} %`,
  ];
}

/** Reasons for mutants that a test does notice, or that are not there any more. */
function staleReasons(results: readonly Result[]): string[] {
  const asked = new Set(results.map(({ machine }) => machine));
  const alive = new Set(results.filter(({ noticedBy }) => noticedBy === null).map(({ id }) => id));
  return Object.keys(equivalent).filter((id) => asked.has(id.split(' ')[0] ?? '') && !alive.has(id));
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { machine: { type: 'string' }, child: { type: 'string' } } });
  if (values.child !== undefined) {
    const results = await examine(values.child);
    process.send?.(results);
    return 0;
  }
  if (values.machine !== undefined && !(values.machine in machines)) {
    console.error(usage);
    return 2;
  }
  const results = await examineAll(values.machine === undefined ? Object.keys(machines) : [values.machine]);
  console.log(report(results).join('\n'));
  const alive = results.some(({ id, noticedBy }) => noticedBy === null && !(id in equivalent));
  return alive || staleReasons(results).length > 0 ? 1 : 0;
}

process.exitCode = await main();
