import { gateTable, type ToolClass } from '../tool-gate.ts';
import type { Phase } from '../views.ts';
import { hintedTools, type ToolFamily } from './families.ts';

/**
 * The families of which a hint may be given now: each tool that it names is registered, and the gate is open
 * for it in this state (D25). `classOf` answers null for a name that no tool has.
 */
export function openHints(
  found: readonly ToolFamily[],
  phase: Phase,
  classOf: (tool: string) => ToolClass | null,
): readonly ToolFamily[] {
  const open = (tool: string): boolean => {
    const known = classOf(tool);
    return known !== null && gateTable[known][phase] !== 'deny';
  };
  return found.filter((family) => hintedTools[family].every(open));
}
