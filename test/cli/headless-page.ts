import { z } from 'zod';
import { JsonEvent } from '../../adapters/cli/json-events.ts';

/** The table of `docs/headless.md` as the schema has it: type, fields, meaning. */
export function eventRows(): string[] {
  return JsonEvent.options.map((option) => {
    const { type, v: _, ...fields } = option.shape;
    const names = Object.entries(fields).map(([name, field]) => {
      const optional = field instanceof z.ZodOptional ? '?' : '';
      return `\`${name}\`${optional}`;
    });
    return `| \`${type.value}\` | ${names.join(', ')} | ${option.description ?? ''} |`;
  });
}
