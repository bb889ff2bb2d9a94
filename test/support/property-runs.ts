/**
 * Returns the number of runs of a property: the default of `npm test`, multiplied by
 * `PROPERTY_RUNS`.
 */
export function runs(count: number): number {
  return count * Number(process.env.PROPERTY_RUNS ?? 1);
}
