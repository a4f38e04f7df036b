import { render, type Instance } from 'ink';
import type { Controller } from './controller.ts';
import { Guard } from './guard.tsx';
import type { Paint } from './lines-view.tsx';
import { act } from './overlay/act.ts';
import { OverlayApp } from './overlay/overlay-app.tsx';
import { ScreenStream } from './screen-stream.ts';
import { inkOptions, raw } from './screen.ts';
import type { Store } from './store.ts';

/** What both screens of one terminal share. */
export interface Running {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  store: Store;
  controller: Controller;
  paint: Paint;
  failed: (error: unknown) => void;
}

/** Shows the plan on the alternate screen; the inline screen is suspended meanwhile. */
export async function showOverlay(
  running: Running,
  opened: (overlay: Instance | null) => void,
): Promise<void> {
  const { stdin, stdout, store, controller, paint, failed } = running;
  const screen = new ScreenStream(stdout);
  raw(stdin, 'on');
  const overlay = render(
    <Guard failed={failed}>
      <OverlayApp
        store={store}
        paint={paint}
        now={Date.now}
        act={(intent, shown) => act(intent, shown, { store, controller })}
      />
    </Guard>,
    {
      ...inkOptions,
      stdin,
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
}
