/**
 * Remembers recently ended sessions and suspended users. A stream that is being opened is not
 * registered yet when its session ends. It checks here, directly before it is registered.
 */
export interface RecentEndings {
  add(id: string): void;
  /** True if one of `ids` ended at or after `moment` (`performance.now()`). */
  isEndedSince(moment: number, ...ids: readonly string[]): boolean;
}

/** Longer than the time between the check of the session and the registration of a stream. */
const RETENTION_MS = 60_000;

export function createRecentEndings(): RecentEndings {
  // A map iterates in insertion order, oldest first.
  const endedAt = new Map<string, number>();
  return {
    add(id) {
      const endedNow = performance.now();
      for (const [oldId, at] of endedAt) {
        if (at + RETENTION_MS > endedNow) break;
        endedAt.delete(oldId);
      }
      endedAt.delete(id);
      endedAt.set(id, endedNow);
    },
    isEndedSince: (moment, ...ids) => ids.some((id) => (endedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= moment),
  };
}
