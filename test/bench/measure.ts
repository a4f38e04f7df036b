/** Does the work once and answers how long it took, in ms. */
export type Side = () => number | Promise<number>;

/** Middle value, linear between the two middle ones; throws on an empty list, which would hide a broken run. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Value below which the share `at` (0 to 1) of the values lies, linear between neighbours. */
export function quantile(values: readonly number[], at: number): number {
  if (values.length === 0) throw new RangeError('Nothing was measured.');
  const sorted = values.toSorted((a, b) => a - b);
  const place = at * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

/**
 * Runs the sides in turn, A B A B, so that a slow moment of the machine falls on all of them. Every side runs
 * once before that and is not counted: first runs pay for compiling and for a cold disk cache.
 */
export async function interleave<Name extends string>(
  rounds: number,
  sides: Readonly<Record<Name, Side>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const name of names) await sides[name]();
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) taken[name].push(await sides[name]());
  }
  return taken;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
