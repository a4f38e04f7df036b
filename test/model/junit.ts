import { type Case, failedIn, type Suite } from './suite.ts';

/** JUnit XML of all suites; `again` is the command that walks a path again. No library is needed for six tags (D84). */
export function junitText(suites: readonly Suite[], again: (suite: Suite, one: Case) => string): string {
  const cases = suites.flatMap((suite) => suite.cases);
  const failed = suites.flatMap(failedIn).length;
  const ms = suites.reduce((sum, suite) => sum + suite.ms, 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="planchart paths" tests="${cases.length}" failures="${failed}" time="${seconds(ms)}">`,
    ...suites.map((suite) => suiteText(suite, again)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteText(suite: Suite, again: (suite: Suite, one: Case) => string): string {
  const { machine, surface, cases, counts, ms } = suite;
  const properties = counts.map(
    ({ kind, covered, of }) => `      <property name="${escaped(kind)}" value="${covered} of ${of}"/>`,
  );
  return [
    `  <testsuite name="${escaped(`${machine} on ${surface}`)}" tests="${cases.length}" failures="${failedIn(suite).length}" time="${seconds(ms)}">`,
    '    <properties>',
    ...properties,
    '    </properties>',
    ...cases.map((one) => caseText(suite, one, again(suite, one))),
    '  </testsuite>',
  ].join('\n');
}

function caseText(
  { machine, surface }: Suite,
  { id, name, ms, lines, failure }: Case,
  again: string,
): string {
  const head = `    <testcase classname="${escaped(`${machine}.${surface}`)}" name="${escaped(`${id} ${name}`)}" time="${seconds(ms)}"`;
  if (failure === null) return `${head}/>`;
  const message = `step ${failure.step + 1}: ${failure.differences[0] ?? ''}`;
  const text = [...lines, ...failure.differences, again].join('\n');
  return [
    `${head}>`,
    `      <failure message="${escaped(message)}">${escaped(text)}</failure>`,
    '    </testcase>',
  ].join('\n');
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For XML and HTML; bytes that XML does not allow at all become visible. */
export const escaped = (text: string): string =>
  text
    .replaceAll(/[&<>"']/gu, (sign) => entities[sign] ?? sign)
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
