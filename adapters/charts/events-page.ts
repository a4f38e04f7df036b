import { Said } from '../../machines/index.ts';
import { z } from 'zod';
import { type Answered, answersOf, placeWords, regionOf } from './answers.ts';
import { code, generated, table } from './markdown.ts';
import { eventsOf, type Machine, type MachineNode } from './nodes.ts';

/** The catalogue of every event: who says it, with which fields, and what each state makes of it. */
export function eventsPage(machines: readonly Machine[]): string {
  const [session, ...others] = machines;
  if (session === undefined) return '';
  return [
    generated('Events', 'machines/events.ts and the machines'),
    'What an event comes to depends on the state, and often on more: an event that is *accepted in* a state may be refused there',
    'too. `dispatch` adds the time, fresh ids and the process to each event of the session. A state that is named in no column has',
    'no branch for the event: refused NOT_APPLICABLE. What the codes mean: [refusals.md](refusals.md).\n',
    `## ${session.title}\n`,
    table(
      ['event', 'said by', 'fields', 'accepted in', 'queued in', 'refused in', 'shown or told in'],
      rowsOf(session.root),
    ),
    ...others.flatMap((machine) => [
      `## ${machine.title}\n`,
      table(['event', 'accepted in'], shortRowsOf(machine.root)),
    ]),
  ].join('\n');
}

function rowsOf(root: MachineNode): string[][] {
  const fields = fieldsByType();
  return eventsInOrder(root, fields).map((event) => {
    const given = answersOf(root).filter((one) => one.event === event);
    const places = (...outcomes: readonly Answered['outcome'][]): string =>
      inStates(root, event, given, outcomes);
    const cells = [places('accepted'), places('queued'), places('refused'), places('info', 'view')];
    return [code(event), saidBy(event, fields), fields.get(event) ?? '–', ...cells];
  });
}

const shortRowsOf = (root: MachineNode): string[][] =>
  eventsOf(root).map((event) => [code(event), inStates(root, event, answersOf(root), ['accepted'])]);

function inStates(
  root: MachineNode,
  event: string,
  given: readonly Answered[],
  outcomes: readonly Answered['outcome'][],
): string {
  const those = given.filter((one) => one.event === event && outcomes.includes(one.outcome));
  const region = regionOf(root, event);
  return placeWords(
    region,
    those.map(({ leaf }) => leaf),
  );
}

/** Those that have a schema first, in its order; then what only the program itself says. */
const eventsInOrder = (root: MachineNode, fields: ReadonlyMap<string, string>): string[] => [
  ...fields.keys(),
  ...eventsOf(root).filter((event) => !fields.has(event)),
];

function saidBy(event: string, fields: ReadonlyMap<string, string>): string {
  const [actor = ''] = event.split('.');
  if (!fields.has(event)) return actor === 'file' ? 'found on disk' : 'raised by the other region';
  if (actor === 'user') return 'a person';
  return actor === 'tool' ? 'a tool call' : 'the program';
}

interface JsonSchema {
  type?: string | string[];
  const?: string | number;
  enum?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** Each event that can be said, with its fields; one that may be left out has a `?`. */
function fieldsByType(): Map<string, string> {
  const kinds = Said.options.map((option): [string, string] => {
    const { properties = {}, required = [] } = z.toJSONSchema(option) as JsonSchema;
    const { type, ...fields } = properties;
    const words = Object.entries(fields).map(
      ([name, schema]) => `${code(required.includes(name) ? name : `${name}?`)}: ${typeWords(name, schema)}`,
    );
    return [String(type?.const), words.length === 0 ? '–' : words.join('<br>')];
  });
  return new Map(kinds);
}

/** Objects that are the same everywhere go by a name. */
const named: Readonly<Record<string, string>> = { by: 'actor', button: 'plan button' };

function typeWords(
  name: string,
  { type, const: only, enum: values, items, anyOf, properties }: JsonSchema,
): string {
  const known = named[name];
  if (known !== undefined) return known;
  if (only !== undefined) return code(String(only));
  if (values !== undefined) return values.map(code).join(' or ');
  if (anyOf !== undefined) return anyOf.map((one) => typeWords('', one)).join(' or ');
  if (type === 'array')
    return `list of ${items?.properties === undefined ? typeWords('', items ?? {}) : 'tasks'}`;
  return properties === undefined
    ? [type ?? 'anything'].flat().join(' or ')
    : `{ ${Object.keys(properties).join(', ')} }`;
}
