import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

const rows = 'cases/i-telegram-rows.test.ts';
const repro = 'cases/i-telegram.test.ts';
const bot = 'cases/i-telegram-bot.test.ts';
const validator = 'cases/c-validator.test.ts';
const telegram = (name: string): string => `adapters/telegram/${name}.test.ts`;

/** A test file, and words that stand in it: of the name of the test that shows the row. */
type Shown = readonly [path: string, words: string];
/** Why the row is no fault that this bot could have. */
type Moot = { moot: string };

const noReactions: Moot = { moot: 'the bot answers with text and never with a reaction' };
const noBackground: Moot = { moot: 'there is no work in the background: a turn ends when its work does' };
const classic: Moot = { moot: 'D35: classic HTML with folded quotes is what is sent' };

/** Issue numbers (`f` for forks), by what they share a test with. */
const shown: readonly (readonly [numbers: string, Shown | Moot])[] = [
  // The plan surface.
  ['537', [telegram('commands'), 'D51 the menu has every command']],
  ['539 551 617', [rows, '539 551 617']],
  ['540', [repro, 'B130 the whole text']],
  ['562', [telegram('html-plan'), 'while Editing: title, one line of Context']],
  [
    '563',
    ['cases/a-gate.test.ts', 'B14 the gate looks at the operation: nothing is started before a review'],
  ],
  ['571', [telegram('bot-turn'), '571']],
  ['572', [bot, 'B32']],
  ['574', ['machines/keyboard-desired.test.ts', 'D31 which keyboard a session asks for']],
  ['573 575 1145', [validator, 'B31 a checklist needs no prose']],
  ['576', [bot, 'B54']],
  ['577', [telegram('bot-job'), '577']],
  ['578', [telegram('bot-job'), 'plans, approves, works the checklist']],
  ['580 826 830 833', [rows, '580 826 830 833']],
  ['737', ['machines/reminder.test.ts', 'the active one counts, and shows open tasks']],
  ['809', [telegram('bot-restart'), 'a plan that ended meanwhile leaves its line']],
  ['814', [repro, 'B104']],
  ['822', [rows, '822']],
  ['837', [rows, '837']],
  ['934', ['adapters/runtime/gate.test.ts', 'B02 an answer to a prompt']],
  ['941 997 690 980 1257 373 375 650', [telegram('html'), 'any markdown becomes HTML']],
  ['1053', [telegram('html-plan'), '1053']],
  ['1102', ['adapters/runtime/unusable-calls.test.ts', 'incomplete: written, and what is missing']],
  [
    '1087 1133',
    { moot: 'D20, D52: criteria are optional words of a task; none are checked, none become a goal' },
  ],
  ['1158', [rows, '1158']],
  ['1231 f16', [rows, '1231 fork-16']],
  ['f62 f69 f402', [rows, 'fork-62 fork-69 fork-402']],
  ['f155', ['cases/e-restart.test.ts', 'section E, restart']],
  ['1684', ['machines/keyboard-product.test.ts', 'a keyboard that the record has lost goes']],
  // Flow, streaming, delivery.
  ['296 299 313 360 405 490', [rows, '296 299 313 360 490']],
  ['311 316 478 498 582', [rows, '311 316 478 498']],
  ['353 391 403 544 546', noReactions],
  ['356 1323', [rows, '356 1323']],
  ['377 1064 1110', [repro, 'B105']],
  ['404 475 1150', ['machines/flow-settle.test.ts', 'moves down when buried']],
  ['407 501 508 652', ['cases/d-approve.test.ts', 'B57']],
  ['420 421', classic],
  ['439 1009 462 470', [rows, '439 1009']],
  [
    '452',
    { moot: 'Telegram folds a quote again at each edit; accepted, since edits stop when nothing changes' },
  ],
  ['480 509', [telegram('golden'), 'what a chat shows']],
  ['481 484 488 1600', [rows, '481 484 488']],
  ['489 532', [rows, '489 532']],
  ['729 1222 845', [telegram('bot-restart'), 'in the middle of a turn']],
  ['950', [telegram('long-text'), '950']],
  ['982', [telegram('golden'), 'what a chat shows']],
  ['1144 1183', [repro, 'B129 a turn that waits']],
  ['1152 1377', noBackground],
  ['1213 f201', ['adapters/runtime/waiting.test.ts', 'D26']],
  ['1217 1226 f136', [telegram('bot-people'), 'a button of another plan, of nonsense']],
  ['1253', [rows, '1253']],
  ['1443', [repro, 'B108']],
  ['f500', [telegram('outbox-server'), '0060']],
  // Routing, security.
  ['17', [telegram('bot-more'), 'is a No after 15 minutes']],
  ['130 215 247 249 1200 1220 1319 1670', [telegram('bot-places'), 'B115, 215, 247']],
  ['1708', [telegram('bot-places'), '1708']],
  ['878', [telegram('bot-more'), 'gives the chat another session, and the old buttons go']],
  ['389 390', [telegram('bot-people'), 'without an owner nobody is answered']],
  ['1042', [telegram('bot-people'), 'somebody unknown gets one line']],
  ['1474', [telegram('bot-turn'), '1474']],
  ['1444', [telegram('bot-places'), 'what is not said to the bot is not answered']],
];

/** Every row of the table of reported faults. */
const all =
  '537 539 551 540 562 563 571 572 574 573 575 576 577 578 580 617 737 809 814 822 826 830 833 837 934 941 997 1053 1102 ' +
  '1087 1133 1145 1158 1231 f16 f62 f69 f155 1684 ' +
  '296 299 311 316 313 360 353 356 377 1064 1110 391 403 404 475 405 407 420 421 439 546 1009 452 462 470 478 480 481 484 488 ' +
  '489 532 490 498 501 508 652 509 544 582 690 980 729 1222 845 950 982 1144 1183 1150 1152 1213 f201 1217 1226 f136 1253 1257 ' +
  '373 375 650 1323 1377 1443 1600 f402 f500 ' +
  '17 130 215 247 249 1200 1220 1319 1670 1708 878 389 390 1042 1474 1444';

describe('faults that OpenCrabs users reported on Telegram', () => {
  it('each has its place, once', () => {
    const named = shown.flatMap(([numbers]) => numbers.split(' '));
    expect(named.toSorted()).toEqual(all.split(' ').toSorted());
  });

  it.each(shown.flatMap(([numbers, where]) => ('moot' in where ? [] : [[numbers, ...where] as const])))(
    '%s: %s has its test',
    (_, path, words) => {
      expect(existsSync(`${root}${path}`)).toBe(true);
      expect(readFileSync(`${root}${path}`, 'utf8')).toContain(words);
    },
  );

  it('what can not happen says why', () => {
    const why = shown.flatMap(([, where]) => ('moot' in where ? [where.moot] : []));
    expect(why.length).toBeGreaterThan(3);
    expect(why).not.toContain('');
  });
});
