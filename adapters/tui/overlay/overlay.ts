import type { Phase, SessionView } from '../../../machines/index.ts';
import { edit, emptyEditor, type Editor } from '../input/editor.ts';
import { editOf } from '../input/edits.ts';
import type { Press } from '../input/keys.ts';
import { quietMs, scrolled, scrollStep } from '../prompt/prompt.ts';
import type { Base } from './changes.ts';
import { approveOffer, editOffer } from './offers.ts';

export type Tab = 'text' | 'tasks' | 'changes';

/** The plan on the full screen: the revision it shows, and what a person is doing with it. */
export interface Overlay {
  revision: { text: string | null; hash: string | null };
  tab: Tab;
  /** What the text is compared with; null until somebody has asked. */
  base: Base | null;
  /** First visible row of the body. */
  top: number;
  mode: 'reading' | 'discarding' | 'noting';
  note: Editor;
  message: { level: 'info' | 'error'; text: string } | null;
  /** Until when a key is not taken as an answer (B98), in milliseconds. */
  quietUntil: number;
  /** The phase in which an approval was offered here; null when none was. */
  offered: Phase | null;
}

/** What an overlay asks its surface to do. */
export type Intent =
  | { type: 'close' | 'stop' | 'approve' | 'approveText' | 'restore' | 'discard' | 'changes' }
  /** `top`: the row to come back to. */
  | { type: 'edit'; top: number }
  | { type: 'load'; hash: string | null }
  | { type: 'revise'; note: string };

export interface OverlaySize {
  now: number;
  /** Rows of the body that are visible, and how many it has. */
  page: number;
  total: number;
  /** Cells of the note field. */
  cells: number;
  /** Below 40×12 the text can't be judged, so it can't be approved (B99). */
  fits: 'fits' | 'tooSmall';
}

interface Step {
  overlay: Overlay;
  intent: Intent | null;
}

function revisionOf(view: SessionView): Overlay['revision'] {
  return { text: view.document?.text ?? null, hash: view.document?.hash ?? null };
}

/** Which sides there are: the session plan's text, the checklist, or both. */
export function tabs(view: SessionView): readonly ('text' | 'tasks')[] {
  return [
    ...(view.document === null ? [] : (['text'] as const)),
    ...(view.tasks.length === 0 ? [] : (['tasks'] as const)),
  ];
}

function offeredIn(view: SessionView): Phase | null {
  return approveOffer(view) === null ? null : view.phase;
}

/** What an overlay begins with when it comes back from an editor. */
export type Start = Pick<Overlay, 'top' | 'message'>;

/** Says that the text is another one than was seen before (D49); absent: there is nothing to say. */
export function newsFor({ view, saw }: { view: SessionView; saw: string | null }): Start | undefined {
  if (saw === null || view.document === null || view.document.hash === saw) return undefined;
  return { top: 0, message: { level: 'info', text: 'Changed since you saw it: c shows what.' } };
}

export function openOverlay(
  view: SessionView,
  now: number,
  { top, message }: Start = { top: 0, message: null },
): Overlay {
  const offered = offeredIn(view);
  return {
    revision: revisionOf(view),
    tab: view.document !== null && (offered !== null || view.tasks.length === 0) ? 'text' : 'tasks',
    base: null,
    top,
    mode: 'reading',
    note: emptyEditor,
    message,
    quietUntil: now + quietMs,
    offered,
  };
}

/**
 * How the shown revision stands to the session: `stale` when the text has changed since (D44), `gone`
 * when the plan has ended, `decided` when what was offered was decided elsewhere (D47).
 */
export function standing(overlay: Overlay, view: SessionView): 'current' | 'stale' | 'decided' | 'gone' {
  if (tabs(view).length === 0) return 'gone';
  if (overlay.offered !== null && overlay.offered !== view.phase && offeredIn(view) === null)
    return 'decided';
  return overlay.tab !== 'tasks' && overlay.revision.hash !== (view.document?.hash ?? null)
    ? 'stale'
    : 'current';
}

/** Shows the newest revision; for a moment no key approves it. */
export function load(overlay: Overlay, view: SessionView, now: number): Overlay {
  return {
    ...overlay,
    revision: revisionOf(view),
    offered: offeredIn(view) ?? overlay.offered,
    message: { level: 'info', text: 'This is the newest text.' },
    quietUntil: now + quietMs,
  };
}

function say(overlay: Overlay, level: 'info' | 'error', text: string): Step {
  return { overlay: { ...overlay, message: { level, text } }, intent: null };
}

function ask(overlay: Overlay, type: 'approve' | 'approveText' | 'restore' | 'discard'): Step {
  return { overlay: { ...overlay, message: null }, intent: { type } };
}

function approve(overlay: Overlay, view: SessionView, size: OverlaySize): Step | null {
  const offer = approveOffer(view);
  if (offer === null) return null;
  const early = quiet(overlay, 'a', size.now);
  if (early !== null) return early;
  if (size.fits === 'tooSmall') return say(overlay, 'error', 'The window is too small to approve in.');
  if (overlay.tab !== 'text')
    return say({ ...overlay, tab: 'text', top: 0 }, 'info', 'This is the text to approve.');
  if (standing(overlay, view) === 'stale') return say(overlay, 'error', 'The text has changed: u loads it.');
  if (offer.off !== null) return say(overlay, 'error', `Approve is off: ${offer.off}.`);
  return ask(overlay, offer.event);
}

/** An answer typed when this had only just opened was meant for something else (B98). */
function quiet(overlay: Overlay, key: string, now: number): Step | null {
  if (now >= overlay.quietUntil) return null;
  const text = `This had only just opened: press ${key} again.`;
  return say({ ...overlay, quietUntil: now + quietMs }, 'info', text);
}

function editText(overlay: Overlay, view: SessionView, size: OverlaySize): Step | null {
  const offer = editOffer(view);
  if (offer === null) return null;
  if (offer.off !== null) return say(overlay, 'error', `Edit is off: ${offer.off}.`);
  return (
    quiet(overlay, 'e', size.now) ?? {
      overlay: { ...overlay, message: null },
      intent: { type: 'edit', top: overlay.top },
    }
  );
}

/** The comparison and back to the text; what it is compared with, the surface looks up (D49). */
function changes(overlay: Overlay, view: SessionView): Step | null {
  if (view.document === null) return null;
  if (overlay.tab !== 'changes') return { overlay, intent: { type: 'changes' } };
  return { overlay: { ...overlay, tab: 'text', top: 0, message: null }, intent: null };
}

type Answerer = (overlay: Overlay, view: SessionView, size: OverlaySize) => Step | null;

const answerers: Readonly<Record<string, Answerer>> = {
  a: approve,
  c: changes,
  e: editText,
  d: (overlay, view, size) =>
    view.decisions.discard
      ? (quiet(overlay, 'd', size.now) ?? {
          overlay: { ...overlay, mode: 'discarding', message: null, quietUntil: size.now + quietMs },
          intent: null,
        })
      : null,
  r: (overlay, view) =>
    view.decisions.revise ? { overlay: { ...overlay, mode: 'noting', message: null }, intent: null } : null,
  t: (overlay, view, size) =>
    view.decisions.restore ? (quiet(overlay, 't', size.now) ?? ask(overlay, 'restore')) : null,
  u: (overlay, view) =>
    standing(overlay, view) === 'stale'
      ? { overlay, intent: { type: 'load', hash: view.document?.hash ?? null } }
      : null,
  q: (overlay) => ({ overlay, intent: { type: 'close' } }),
};

function turnTab(overlay: Overlay, view: SessionView): Overlay {
  const sides = tabs(view);
  const at = overlay.tab === 'changes' ? -1 : sides.indexOf(overlay.tab);
  const next = sides[(at + 1) % sides.length] ?? overlay.tab;
  return next === overlay.tab ? overlay : { ...overlay, tab: next, top: 0, message: null };
}

function readingPress(overlay: Overlay, view: SessionView, press: Press, size: OverlaySize): Step {
  const step = scrollStep(press, size.page);
  if (step !== null) {
    return { overlay: { ...overlay, top: scrolled(overlay.top, step, size.page, size.total) }, intent: null };
  }
  if (press.type === 'key' && press.name === 'tab') return { overlay: turnTab(overlay, view), intent: null };
  if (press.type !== 'text') return { overlay, intent: null };
  const answerer = Object.hasOwn(answerers, press.text) ? answerers[press.text] : undefined;
  return answerer?.(overlay, view, size) ?? { overlay, intent: null };
}

function notingPress(overlay: Overlay, press: Press, size: OverlaySize): Step {
  if (press.type === 'key' && press.name === 'escape') {
    return { overlay: { ...overlay, mode: 'reading', message: null }, intent: null };
  }
  if (press.type === 'key' && press.name === 'enter') {
    const note = overlay.note.text.trim();
    if (note === '') return say(overlay, 'error', 'Write what should change first.');
    return { overlay: { ...overlay, message: null }, intent: { type: 'revise', note } };
  }
  const change = editOf(press, size.cells);
  if (change === null) return { overlay, intent: null };
  return { overlay: { ...overlay, note: edit(overlay.note, change), message: null }, intent: null };
}

/**
 * What a key does. A paste is never a key: it writes in the note field and does nothing elsewhere (B97).
 * What may be decided is read from `view.decisions`; the engine judges it again.
 */
export function overlayPress(overlay: Overlay, view: SessionView, press: Press, size: OverlaySize): Step {
  if (press.type === 'key' && press.name === 'ctrl-c') {
    return { overlay, intent: { type: view.turn === 'idle' ? 'close' : 'stop' } };
  }
  const place = standing(overlay, view);
  if (place === 'gone' || place === 'decided') {
    return { overlay, intent: press.type === 'paste' ? null : { type: 'close' } };
  }
  if (overlay.mode === 'noting') return notingPress(overlay, press, size);
  if (overlay.mode === 'discarding') {
    const reading: Overlay = { ...overlay, mode: 'reading' };
    if (press.type === 'text' && press.text === 'd') {
      // A held or doubled key is one press (D38 asks for one more).
      return size.now < overlay.quietUntil ? { overlay, intent: null } : ask(reading, 'discard');
    }
    return press.type === 'paste' ? { overlay, intent: null } : say(reading, 'info', 'Kept.');
  }
  if (press.type === 'key' && press.name === 'escape') return { overlay, intent: { type: 'close' } };
  return readingPress(overlay, view, press, size);
}
