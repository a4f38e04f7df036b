import { describe, expect, it } from 'vitest';
import type { Published } from '../../../adapters/ports.ts';
import { type Harness, hashes, openHarness } from '../../support/harness.ts';
import { call, inOrder, reply, says } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';

type Result = Extract<Published, { type: 'tool.ended' }>;
const results = (h: Harness): Result[] =>
  h.published.filter((told): told is Result => told.type === 'tool.ended');
const codeOf = ({ failed, text }: Result): string =>
  failed ? (/^[A-Z_]+(?=:)/u.exec(text)?.[0] ?? text) : 'ok';

describe('D21 what a project brings along for planchart', () => {
  it.each(['ask', 'yolo'] as const)('is closed to tools under %s, whatever the case', async (kind) => {
    const h = await openHarness({
      files: { '.planchart/config.toml': 'mine = 1\n' },
      script: inOrder(() => [
        reply(
          call('write_file', { path: '.planchart/config.toml', content: 'x' }),
          call('edit_file', { path: '.planchart/config.toml', old_text: 'mine', new_text: 'its' }),
          call('write_file', { path: 'sub/.Planchart/skills/a.md', content: 'x' }),
          call('read_file', { path: '.planchart/config.toml' }),
        ),
        says('I see.'),
      ]),
    });
    if (kind === 'yolo') await h.session.send({ type: 'user.policy', by: person, yolo: true });
    const before = hashes(h.project);
    await h.turn(() => h.chat('set it up'));
    expect(results(h).map(codeOf)).toEqual(['GATE_CLOSED', 'GATE_CLOSED', 'GATE_CLOSED', 'ok']);
    expect(results(h)[0]?.text).toContain('only a person writes there');
    expect(hashes(h.project)).toEqual(before);
    expect(h.prompts).toEqual([]);
  });
});
