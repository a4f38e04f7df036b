/** The chart: the current state has a thick outline, a fill and a flag that says so. */
export const chartStyle = `
.stage { overflow: auto; flex: 1; min-height: 0; padding: 12px; background: var(--panel) }
.picture { width: max-content; margin: 0 auto }
.picture svg { display: block; --ink: var(--text); --paper: var(--panel); --line: var(--edge); --group: var(--sunken); background: none }
.picture [data-state] { cursor: pointer }
.picture [data-state].holds > path { stroke: var(--lit); stroke-width: 3px }
.picture [data-state].lit > path { stroke: var(--lit); stroke-width: 4px; fill: var(--lit-fill) }
.picture [data-state].next > path { stroke: var(--lit); stroke-width: 3px; stroke-dasharray: 7 4 }
.picture [data-state].chosen > path { stroke: var(--focus); stroke-width: 4px }
.picture [data-state].lit.chosen > path { stroke: var(--lit); stroke-width: 6px }
.picture [data-state].found > text { text-decoration: underline; text-decoration-thickness: 2px; text-decoration-color: var(--focus) }
.lit-mark rect { fill: var(--lit); stroke: none }
.picture .lit-mark text { fill: var(--on-lit); font: 700 10px system-ui, sans-serif; letter-spacing: .04em }
`;
