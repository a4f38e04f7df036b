/** Another order for each seed, the same for the same seed; 0 leaves the order as it is. Mulberry32. */
export function shuffled(seed: number): <T>(list: readonly T[]) => readonly T[] {
  if (seed === 0) return (list) => list;
  let state = seed;
  const chance = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return (list) =>
    list
      .map((one) => ({ one, at: chance() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ one }) => one);
}
