const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** `November 20, 2026`, the day in UTC: the same on a page and in its Markdown. */
export function formatDate(date: Date): string {
  return DATE.format(date);
}
