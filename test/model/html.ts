import { escaped } from './junit.ts';
import { gapLines, heads, rowOf } from './report.ts';
import { type Case, failedIn, type Suite } from './suite.ts';

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #8886; padding: .3rem .6rem; text-align: left; white-space: nowrap; }
li, pre { overflow-wrap: anywhere; white-space: pre-wrap; }
summary { cursor: pointer; }
code { font-size: .9em; }
.failed > summary { font-weight: bold; }
.wrong { border-left: .3rem solid #d33; padding-left: .6rem; }
`;

/** One page with everything in it: no script, no font, nothing from elsewhere. `about` says what was run. */
export function htmlText(
  suites: readonly Suite[],
  about: string,
  again: (suite: Suite, one: Case) => string,
): string {
  const failed = suites.flatMap(failedIn).length;
  const paths = suites.flatMap((suite) => suite.cases).length;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>planchart paths: ${failed} of ${paths} failed</title><style>${style}</style></head><body>`,
    '<h1>Paths of planchart</h1>',
    `<p>${failed === 0 ? `All ${paths} paths came out as the machines say.` : `${failed} of ${paths} paths failed.`} <code>${escaped(about)}</code></p>`,
    tableHtml(suites),
    gapsHtml(suites),
    ...suites.map((suite) => suiteHtml(suite, again)),
    '</body></html>',
    '',
  ].join('\n');
}

function tableHtml(suites: readonly Suite[]): string {
  const head = heads.map((one) => `<th scope="col">${escaped(one)}</th>`).join('');
  const rows = suites.map((suite) => {
    const cells = rowOf(suite).map((cell) => `<td>${escaped(cell)}</td>`);
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`;
}

function gapsHtml(suites: readonly Suite[]): string {
  const lines = suites.flatMap(gapLines);
  if (lines.length === 0) return '';
  return `<h2>Not covered</h2><ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join('\n')}</ul>`;
}

function suiteHtml(suite: Suite, again: (suite: Suite, one: Case) => string): string {
  const failed = failedIn(suite);
  const passed = suite.cases.filter((one) => !failed.includes(one));
  return [
    `<h2>${escaped(`${suite.machine} on ${suite.surface}`)}</h2>`,
    ...[...failed, ...passed].map((one) => caseHtml(one, again(suite, one))),
  ].join('\n');
}

function caseHtml({ id, name, lines, failure }: Case, again: string): string {
  const steps = lines.map((line) => `<div>${escaped(line)}</div>`).join('\n');
  const wrong =
    failure === null
      ? ''
      : `<div class="wrong"><p>Step ${failure.step + 1} went wrong:</p><pre>${escaped(failure.differences.join('\n'))}</pre></div>`;
  const state = failure === null ? 'passed' : 'failed';
  return `<details class="${state}"${failure === null ? '' : ' open'}><summary>${state}: <code>${escaped(id)}</code> ${escaped(name)}</summary>
${steps}${wrong}<p>Walk it again: <code>${escaped(again)}</code></p></details>`;
}
