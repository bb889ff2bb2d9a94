/** When what a list shows of its articles last changed; null where it shows none. */
export function findLatestChange(entries: readonly { shownSince: Date }[]): Date | null {
  return entries.length === 0 ? null : new Date(Math.max(...entries.map(({ shownSince }) => shownSince.getTime())));
}
