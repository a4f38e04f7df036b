/** What is listed: events, steps, states, facts. */
export const listStyle = `
.group { position: sticky; top: -10px; z-index: 1; margin: 0 -12px; padding: 9px 12px 4px; background: var(--panel); font-size: 12px; color: var(--muted);
  font-weight: 650 }
.choice { display: grid; grid-template-columns: 22px minmax(0, 1fr) auto; gap: 0 6px; width: 100%; margin: 0 0 4px; padding: 6px 10px 6px 6px; text-align: left;
  border: 1px solid var(--edge); border-left-width: 4px; border-left-color: var(--lit); border-radius: 7px; background: var(--panel); cursor: pointer }
.choice:hover { background: var(--lit-fill) }
.choice .label { overflow-wrap: anywhere; font-weight: 550 }
.choice .event { color: var(--muted); font-size: 12px; align-self: center }
.choice .why { grid-column: 2 / -1; color: var(--muted); font-size: 12.5px; white-space: pre-line; overflow-wrap: anywhere }
.choice[aria-disabled=true] { background: var(--sunken); border-style: dashed; border-color: var(--line); border-left: 4px dotted var(--edge); color: var(--muted) }
.choice[aria-disabled=true] .label { font-weight: 400 }
.group .of { font-weight: 400 }
.mark { text-align: center; color: var(--lit); font-weight: 700 }
[aria-disabled=true] .mark, .mark.refused, .mark.ignored { color: var(--muted) }
.mark.queued { color: var(--queued) }
.verdict { display: inline-block; padding: 0 7px; background: var(--panel); border: 1px solid var(--edge); border-radius: 9px; font-size: 12px; white-space: nowrap }
.verdict.accepted, .verdict.view, .verdict.info { border-color: var(--lit); color: var(--lit) }
.verdict.queued { border-color: var(--queued); color: var(--queued) }
.verdict.refused, .verdict.ignored { border-style: dashed; color: var(--muted) }
.verdict code { font-size: 11.5px }
.step { display: grid; grid-template-columns: 26px minmax(0, 1fr); width: 100%; padding: 5px 6px; text-align: left; border: 1px solid transparent; border-radius: 7px;
  background: none; cursor: pointer }
.step:hover { background: var(--sunken) }
.step[aria-current=step] { border-color: var(--lit); background: var(--lit-fill) }
.step[aria-current=step] .more, .step[aria-current=step] .number { color: var(--text) }
.step .number { color: var(--muted); font-variant-numeric: tabular-nums }
.step .more { grid-column: 2; color: var(--muted); font-size: 12.5px; overflow-wrap: anywhere; white-space: pre-line }
.step .deviation { grid-column: 2; margin-top: 3px; padding: 2px 8px; border: 2px solid var(--bad); border-radius: 6px; background: var(--bad-fill) }
.state { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 8px; width: 100%; padding: 4px 8px; text-align: left; border: 1px solid transparent; border-radius: 6px;
  background: none; cursor: pointer }
.state:hover { background: var(--sunken) }
.state .about { flex-basis: 100%; color: var(--muted); font-size: 12.5px }
.state .here { color: var(--lit); font-weight: 700; font-size: 12px }
.state[aria-pressed=true] { border: 2px solid var(--focus); padding: 3px 7px; background: var(--sunken) }
.tag { padding: 0 6px; border: 1px solid var(--edge); border-radius: 4px; font-size: 11.5px; color: var(--muted) }
.chips { display: flex; flex-wrap: wrap; gap: 5px; margin-bottom: 8px }
.chip { padding: 1px 9px; border: 2px solid var(--lit); border-radius: 7px; background: var(--lit-fill); font-weight: 600 }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 12px; font-size: 13px }
.facts dt { color: var(--muted) }
.facts dd { white-space: pre-line; overflow-wrap: anywhere }
.happened { padding: 5px 6px; border-bottom: 1px solid var(--line) }
.happened .more { display: block; color: var(--muted); font-size: 12.5px }
.empty { color: var(--muted); padding: 4px 0 }
`;
