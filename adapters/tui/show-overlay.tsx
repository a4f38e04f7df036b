import { render, type Instance } from 'ink';
import type { SessionHandle } from '../ports.ts';
import { actor, type Controller } from './controller.ts';
import { Guard } from './guard.tsx';
import type { Paint } from './lines-view.tsx';
import { act } from './overlay/act.ts';
import { withWheel } from './input/wheel.ts';
import { runEditor } from './outside-editor.ts';
import { OverlayApp, type Outcome } from './overlay/overlay-app.tsx';
import type { Start } from './overlay/overlay.ts';
import { ScreenStream } from './screen-stream.ts';
import { inkOptions, raw } from './screen.ts';
import type { Store } from './store.ts';
import { answerItem } from './transcript/items.ts';

const noEditor =
  'No editor is named. Set VISUAL or EDITOR to its command, such as vi or "code --wait", then start planchart again.';

/** What both screens of one terminal share. */
export interface Running {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  store: Store;
  controller: Controller;
  handle: SessionHandle;
  /** Command line of the person's editor; null when they have named none. */
  editor: string | null;
  paint: Paint;
  /** Aborted when this surface ends. */
  ended: AbortSignal;
  failed: (error: unknown) => void;
}

type Opened = (overlay: Instance | null) => void;

/** Shows the plan until it closes, or until the person wants the editor. */
async function oneOverlay(
  running: Running,
  opened: Opened,
  start: Start | undefined,
): Promise<'closed' | { editAt: number }> {
  const { stdin, stdout, store, controller, handle, paint, failed } = running;
  const screen = new ScreenStream(stdout);
  const wheel = withWheel(stdin);
  let end: 'closed' | { editAt: number } = 'closed';
  const edit = (top: number): Outcome => {
    if (running.editor === null) return { close: false, message: { level: 'error', text: noEditor } };
    end = { editAt: top };
    return { close: true };
  };
  raw(stdin, 'on');
  const overlay = render(
    <Guard failed={failed}>
      <OverlayApp
        store={store}
        paint={paint}
        now={Date.now}
        act={(intent, shown) => act(intent, shown, { store, controller, handle, edit })}
        wheel={wheel.listen}
        start={start}
      />
    </Guard>,
    {
      ...inkOptions,
      stdin: wheel.stdin,
      stdout: screen as unknown as NodeJS.WriteStream,
      alternateScreen: true,
      patchConsole: false,
    },
  );
  opened(overlay);
  try {
    await overlay.waitUntilExit();
  } finally {
    opened(null);
    overlay.cleanup();
    screen.release();
    raw(stdin, 'on');
  }
  return end;
}

/**
 * Hands the terminal to the person's editor. Afterwards the engine looks at the file as after any outside edit
 * (D23). Answers what to say; null when there is no plan to come back to.
 */
async function edited({ stdin, stdout, store, controller, editor, ended }: Running): Promise<string | null> {
  const file = store.get().view.document?.path;
  if (editor === null || file === undefined) return null;
  raw(stdin, 'off');
  // Keys are the editor's: what is read here would be lost to it.
  stdin.pause();
  const fault = await runEditor(editor, file, [stdin, stdout, 'inherit'], ended);
  raw(stdin, 'on');
  const answer = await controller.send({ type: 'user.show', by: actor });
  if (answer === null) return null;
  if (answer.kind === 'view') return fault ?? '';
  const item = answerItem(answer);
  if (item !== null) store.dispatch({ type: 'items', items: [item] });
  return null;
}

/** Shows the plan on the alternate screen; the inline screen is suspended meanwhile. */
export async function showOverlay(running: Running, opened: Opened): Promise<void> {
  let start: Start | undefined;
  for (;;) {
    const before = running.store.get().view.document?.hash;
    const end = await oneOverlay(running, opened, start);
    if (end === 'closed') return;
    const fault = await edited(running);
    if (fault === null || running.ended.aborted) return;
    const changed = running.store.get().view.document?.hash !== before;
    const text = changed
      ? 'Edited: this is the text as it is now. c shows what changed.'
      : 'The text is unchanged.';
    const message =
      fault === '' ? { level: 'info' as const, text } : { level: 'error' as const, text: fault };
    start = { top: end.editAt, message };
  }
}
