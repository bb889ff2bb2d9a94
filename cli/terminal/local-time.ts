/**
 * Formats a time in the local zone (`2 Jul 2090, 06:00 Asia/Tokyo`). Returns other text unchanged.
 */
export function formatLocalTime(time: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return `${format.format(at)} ${format.resolvedOptions().timeZone}`;
}
