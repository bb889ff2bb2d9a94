const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** `November 20, 2026`, in UTC: the same on a page and in its Markdown alternate. */
export function formatDate(date: Date): string {
  return DATE.format(date);
}
