/**
 * Locks the names of texts across windows with the Web Locks API. A lock ends with its window.
 * Insecure contexts have no locks: every name seems free there, and two windows may restore the
 * same text.
 */

export type ReleaseNameLock = () => void;

let lockedNames = new Set<string>();

export function lockTextName(name: string): ReleaseNameLock {
  let release: ReleaseNameLock = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Rejects if storage is forbidden; nothing is stored then either.
  navigator.locks?.request(name, () => released).catch(() => undefined);
  return release;
}

/** Reads the names that are locked now. */
export async function refreshLockedNames(): Promise<void> {
  const found = await navigator.locks?.query().catch(() => undefined);
  lockedNames = new Set(found?.held?.flatMap(({ name }) => name ?? []));
}

/** Uses the result of the last `refreshLockedNames`. */
export function isNameLocked(name: string): boolean {
  return lockedNames.has(name);
}
