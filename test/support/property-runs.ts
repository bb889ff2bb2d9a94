/** How often a property is tried: by `npm test` as often as finds most, and `PROPERTY_RUNS` times as often by who has the time. */
export function runs(count: number): number {
  return count * Number(process.env.PROPERTY_RUNS ?? 1);
}
