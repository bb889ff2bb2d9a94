/** How long to wait before a destination that is away is asked again. */

const FIRST_MS = 2_000;
const FACTOR = 3;
const LONGEST_MS = 15 * 60_000;

/** After this much trouble with one destination the delivery is given up and its author told. */
export const PATIENCE_MS = 24 * 60 * 60_000;

/** 2 s, 6 s, 18 s … 15 min; `failures` counts from 1. */
export function backoffMs(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * FACTOR ** (failures - 1));
}
