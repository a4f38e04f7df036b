import { createHash } from 'node:crypto';
import type { ChartSource } from '../chart.ts';
import { style } from './style.ts';

/**
 * One HTML document that needs nothing else: charts, machines, style and script are in it, and the content security
 * policy lets it ask nobody but the server that it came from (for `?live`). `script` comes from `bundlePage`.
 */
export function renderPage({ charts, script }: { charts: readonly ChartSource[]; script: string }): string {
  const code = script.replaceAll('</script', '<\\/script');
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src 'sha256-${createHash('sha256').update(code).digest('base64')}'`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const states = charts.map(({ name, title, states: list }) => ({ name, title, states: list }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Statecharts of planchart</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
${body(charts)}
<script type="application/json" id="charts">${JSON.stringify(states).replaceAll('<', '\\u003c')}</script>
<script>${code}</script>
</body>
</html>
`;
}

const icon =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect x=%221%22 y=%224%22 ' +
  'width=%2214%22 height=%228%22 rx=%223%22 fill=%22%230b4fa8%22/%3E%3C/svg%3E';

const escaped = (text: string): string =>
  text.replace(/[&<>"']/gu, (character) => `&#${character.codePointAt(0)};`);

const body = (charts: readonly ChartSource[]): string => `
<div class="top">
  <h1>planchart <span>statecharts</span></h1>
  <div class="search" role="search">
    <label class="unseen" for="search">Search events, states, refusals and tags</label>
    <input id="search" type="search" placeholder="Search events, states, refusals" autocomplete="off" spellcheck="false">
    <kbd aria-hidden="true">/</kbd>
  </div>
</div>
<div class="tabs" role="tablist" aria-label="Machines">${charts.map(tab).join('')}</div>
<p id="problem" role="alert" hidden></p>
<noscript><p>The charts below can be read without JavaScript; playing them needs it.</p></noscript>
<main id="panel" role="tabpanel" tabindex="-1">
  <section class="panel stage-panel" aria-labelledby="chart-title">
    <header><h2 id="chart-title">Chart</h2>
      <span class="end" role="group" aria-label="Size of the chart">
        <button class="tool" id="smaller" type="button" aria-label="Smaller">−</button>
        <button class="tool" id="larger" type="button" aria-label="Larger">+</button>
        <button class="tool" id="fit" type="button">Fit</button>
      </span></header>
    <div class="stage" id="stage" tabindex="0" role="region" aria-label="Chart, scrolls with the arrow keys">${charts.map(picture).join('')}</div>
  </section>
  <section class="panel now" aria-labelledby="now-title">
    <header><h2 id="now-title">Now</h2></header><div class="body" id="now"></div>
  </section>
  <section class="panel events" aria-labelledby="events-title">
    <header><h2 id="events-title">Events</h2><span class="count" id="events-count" role="status"></span>
      <span class="end" role="group" aria-label="Which events are listed" id="kinds">
        <button class="tool" type="button" data-kind="all" aria-pressed="true">All</button>
        <button class="tool" type="button" data-kind="taken" aria-pressed="false">Taken</button>
        <button class="tool" type="button" data-kind="refused" aria-pressed="false">Refused</button>
      </span></header>
    <p class="unseen" id="events-help">Arrow keys move through the list, Enter takes the event.</p>
    <div class="body" id="events" role="group" aria-labelledby="events-title" aria-describedby="events-help"></div>
  </section>
  <section class="panel path" aria-labelledby="path-title">
    <header><h2 id="path-title">Path</h2>
      <span class="end">
        <button class="tool" id="back" type="button">Back</button>
        <button class="tool" id="reset" type="button">Reset</button>
        <button class="tool" id="copy" type="button">Copy link</button>
      </span></header>
    <ol class="body" id="path"></ol>
  </section>
  <section class="panel states" aria-labelledby="states-title">
    <header><h2 id="states-title">States</h2><span class="count" id="states-count" role="status"></span></header>
    <div class="body" id="states" role="group" aria-labelledby="states-title"></div>
  </section>
</main>
<p id="say" role="status"></p>
`;

const tab = ({ name, title }: ChartSource, index: number): string =>
  `<button type="button" role="tab" id="tab-${escaped(name)}" data-machine="${escaped(name)}" aria-controls="panel" ` +
  `aria-selected="${index === 0}" tabindex="${index === 0 ? 0 : -1}">${escaped(title)}</button>`;

/** The states are listed beside the picture, so it needs no second reading. */
const picture = ({ name, title, svg }: ChartSource): string =>
  `<div class="picture" data-machine="${escaped(name)}" role="img" aria-label="${escaped(title)}: statechart">${bare(svg)}</div>`;

/** What only stands in files of their own. */
const bare = (svg: string): string =>
  svg.replace(/<\?xml[^>]*\?>|<!DOCTYPE[^>]*>|<!--[\s\S]*?-->/gu, '').trim();
