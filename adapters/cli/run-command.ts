import { compose, openSession } from './compose.ts';
import { leave } from './extensions.ts';
import { writableFolder } from './folders.ts';
import { homeFault, type Job, realRoot, startLines, usage } from './job.ts';
import { createReport, personsAct, runPrompt } from './run.ts';
import { endOnCrash, guarded, openLog } from './session-log.ts';
import { noPrompt } from './settings.ts';
import { notLoaded } from './trust.ts';

/** Longest prompt that is read from stdin, in bytes: more is no prompt, and may have no end. */
const promptLimit = 1024 * 1024;

/** `planchart run`: one prompt, one turn, an exit code. */
export async function run({ settings, invoked, output }: Job): Promise<number> {
  const prompt = await promptOf(settings);
  if ('error' in prompt) return usage(output, prompt.error);
  const report = createReport(output, settings.json ? 'json' : 'text');
  const ended = (exit: number, session: string | null): number => {
    report.tell({ type: 'end', session, exit });
    return exit;
  };
  const refused = personsAct(prompt.text, report);
  if (refused !== null) return ended(refused, null);
  const home = writableFolder(settings.home);
  if ('cause' in home) return usage(output, homeFault(settings, home.cause));
  const stop = stopSignal();
  const logs = openLog(settings, home.path);
  endOnCrash(logs, report.output);
  const first = [notLoaded(settings.folder), ...startLines(settings, logs)];
  for (const line of first) if (line !== null) output.line(line);
  return guarded(logs, report.output, async () => {
    const places = { home: home.path, root: realRoot(settings) };
    const world = await compose(settings, invoked, { ...places, log: logs.log });
    const session = await openSession(world, { ...settings, fresh: settings.session === null });
    if ('error' in session) return usage(output, session.error);
    logs.opened(session.id);
    output.line(`Session ${session.id} in ${session.cwd}`);
    const { entry } = settings;
    report.tell({ type: 'session', session: session.id, cwd: session.cwd, model: session.model.name, entry });
    for (const fault of (await session.skills()).faults) output.line(fault);
    const code = await runPrompt(session, { prompt: prompt.text, entry }, report, stop);
    await leave(session, world);
    return ended(code, session.id);
  });
}

async function promptOf({
  prompt,
  promptFrom,
}: Job['settings']): Promise<{ text: string } | { error: string }> {
  if (promptFrom === 'argument') return { text: prompt };
  // A person at the terminal who gave no prompt did not mean to type one here.
  if (promptFrom === 'pipe' && process.stdin.isTTY) return { error: noPrompt };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > promptLimit) return { error: `The prompt on stdin is longer than ${promptLimit / 1024} kB.` };
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text.trim() === '' ? { error: noPrompt } : { text };
}

/** Aborts on the first signal that asks for the end; the second one ends the process as usual. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
