import { chartStyle } from './style-chart.ts';
import { listStyle } from './style-lists.ts';
import { variables } from './palette.ts';

/** Frame of the page; what is in the panels is in the other two. */
const frame = `
:root { color-scheme: light dark; ${variables('light')} }
@media (prefers-color-scheme: dark) { :root { ${variables('dark')} } }
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; background: var(--page); color: var(--text);
  font: 14px/1.45 system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif }
h1, h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0 }
ul, ol { list-style: none }
button, input { font: inherit; color: inherit }
code, kbd { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .9em }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.top { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; padding: 10px 16px 0 }
.top h1 { font-size: 17px; letter-spacing: -.01em }
.top h1 span { color: var(--muted); font-weight: 400 }
.search { margin-left: auto; position: relative; flex: 0 1 384px; min-width: 200px }
.search input { width: 100%; padding: 7px 40px 7px 12px; border: 1px solid var(--edge); border-radius: 8px; background: var(--panel) }
.search input::placeholder { color: var(--muted); opacity: 1 }
.search kbd { position: absolute; right: 10px; top: 7px; padding: 0 7px; border: 1px solid var(--line); border-radius: 5px;
  color: var(--muted); background: var(--sunken) }
.tabs { display: flex; flex-wrap: wrap; gap: 2px; padding: 8px 16px 0 }
.tabs button { padding: 7px 14px; border: 1px solid transparent; border-bottom: 3px solid transparent; border-radius: 8px 8px 0 0;
  background: none; color: var(--muted); cursor: pointer }
.tabs button:hover { color: var(--text) }
.tabs [aria-selected=true] { background: var(--panel); border-color: var(--line); border-bottom-color: var(--lit); color: var(--text); font-weight: 600 }
main { display: grid; gap: 12px; padding: 0 16px 16px; grid-template-columns: minmax(0, 1fr) }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; min-width: 0; display: flex; flex-direction: column; overflow: hidden }
.panel > header { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; padding: 8px 12px; border-bottom: 1px solid var(--line) }
.panel h2 { font-size: 13px; font-weight: 650 }
.panel > header .end { margin-left: auto; display: flex; gap: 6px; flex-wrap: wrap }
.body { overflow: auto; padding: 10px 12px; min-height: 0 }
.tool { padding: 3px 10px; border: 1px solid var(--edge); border-radius: 6px; background: var(--panel); cursor: pointer }
.tool:hover:not(:disabled) { background: var(--sunken) }
.tool:disabled { border-style: dashed; color: var(--muted); cursor: default }
.tool[aria-pressed=true] { background: var(--lit); border-color: var(--lit); color: var(--on-lit) }
.count { color: var(--muted); font-variant-numeric: tabular-nums }
#problem { margin: 10px 16px 10px; padding: 9px 12px; border: 2px solid var(--bad); border-radius: 8px; background: var(--bad-fill); color: var(--text) }
#problem::before { content: '! '; color: var(--bad); font-weight: 700 }
#say { position: fixed; left: 50%; bottom: 18px; translate: -50% 0; max-width: min(90vw, 560px); padding: 8px 14px; border-radius: 8px;
  background: var(--text); color: var(--panel); box-shadow: 0 4px 16px rgb(0 0 0 / .3) }
#say:empty { display: none }
.now .hint { font-weight: 500; margin-bottom: 8px }
.now .hint:empty { display: none }
@media (min-width: 1080px) {
  body { height: 100vh; display: flex; flex-direction: column }
  main { flex: 1; min-height: 0; grid-template-columns: minmax(0, .9fr) minmax(0, 1.1fr) minmax(0, 1fr) 390px; grid-template-rows: minmax(0, 1fr) minmax(150px, 32%);
    grid-template-areas: 'chart chart chart events' 'now path states events' }
  .live main { grid-template-areas: 'chart chart chart events' 'now now states events' }
  .stage-panel { grid-area: chart } .now { grid-area: now } .events { grid-area: events } .path { grid-area: path } .states { grid-area: states }
}
@media (max-width: 1079.98px) {
  .stage-panel { height: min(60vh, 560px) }
  .events .body { max-height: 70vh } .states .body, .path .body { max-height: 60vh }
}
@media (max-width: 520px) {
  main { padding: 0 8px 12px; gap: 8px } .top { padding: 8px 10px 0 } .tabs { padding: 8px 8px 0 } .tabs button { padding: 7px 9px }
  .search { flex-basis: 100% } .search kbd { display: none } #problem { margin: 8px }
}
@media (prefers-reduced-motion: no-preference) { .stage { scroll-behavior: smooth } button, .choice { transition: background-color .12s } }
@media (forced-colors: active) { .lit-mark, .verdict { forced-color-adjust: auto } }
`;

/** The page's only style sheet. */
export const style = [frame, chartStyle, listStyle].join('\n');
