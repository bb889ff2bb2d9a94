/**
 * Which names other windows hold: a lock each, which ends with its window however that ends. Browsers know locks only where the connection is safe;
 * elsewhere every name looks free, and a window whose text was taken up keeps writing its own again.
 */

export type Release = () => void;

let held = new Set<string>();

export function holdName(name: string): Release {
  let release: Release = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Refused where storage is forbidden: then nothing is kept either.
  navigator.locks?.request(name, () => held).catch(() => undefined);
  return release;
}

/** Asks again which are held. */
export async function lookWhatIsHeld(): Promise<void> {
  const found = await navigator.locks?.query().catch(() => undefined);
  held = new Set(found?.held?.flatMap(({ name }) => name ?? []));
}

/** As of the last look. */
export function isTaken(name: string): boolean {
  return held.has(name);
}
