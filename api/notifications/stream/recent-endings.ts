/**
 * The sessions that have just ended and the users who have just been suspended. A stream that is being opened has read from the database that its
 * session is open, and is in no list yet when that changes: it asks here, right before it joins the others.
 */
export interface RecentEndings {
  add(id: string): void;
  /** Whether one of them ended after this moment (in `performance.now()`). */
  isEndedSince(moment: number, ...ids: readonly string[]): boolean;
}

/** An opening that has read that its session is open has done so by then. */
const REMEMBERED_MS = 60_000;

export function createRecentEndings(): RecentEndings {
  // A map keeps the order of insertion: what comes first is the oldest.
  const heardAt = new Map<string, number>();
  return {
    add(id) {
      const present = performance.now();
      for (const [old, at] of heardAt) {
        if (at + REMEMBERED_MS > present) break;
        heardAt.delete(old);
      }
      heardAt.delete(id);
      heardAt.set(id, present);
    },
    isEndedSince: (moment, ...ids) => ids.some((id) => (heardAt.get(id) ?? Number.NEGATIVE_INFINITY) >= moment),
  };
}
