import { render } from 'ink-testing-library';
import { describe, expect, it } from 'vitest';
import { Guard } from '../../../adapters/tui/guard.tsx';
import { dim, span, type Line } from '../../../adapters/tui/lines.ts';
import { LinesView } from '../../../adapters/tui/lines-view.tsx';

const lines: readonly Line[] = [
  [span('✓ ', { colour: 'green' }), dim('done')],
  [],
  [span('完了', { bold: true })],
];

describe('LinesView', () => {
  it.each(['colour', 'plain'] as const)('draws rows as they are, blank ones too (%s)', (paint) => {
    const { lastFrame } = render(<LinesView lines={lines} paint={paint} />);
    expect(lastFrame()).toBe('✓ done\n\n完了');
  });

  it('never wraps a row again', () => {
    const { lastFrame } = render(<LinesView lines={[[span('x'.repeat(150))]]} paint="plain" />);
    expect(lastFrame()?.split('\n')).toHaveLength(1);
  });
});

describe('Guard', () => {
  it('hands a drawing error on and draws nothing of it', () => {
    const errors: unknown[] = [];
    const Broken = (): never => {
      throw new Error('boom');
    };
    const { lastFrame } = render(
      <Guard failed={(error) => errors.push(error)}>
        <Broken />
      </Guard>,
    );
    expect(errors).toEqual([new Error('boom')]);
    expect(lastFrame()).toBe('');
  });
});
