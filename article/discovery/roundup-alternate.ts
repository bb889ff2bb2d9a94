/** Names the weekly roundups and formats their Markdown alternates. */
import { formatItems, formatPageAlternate, type ListedArticle } from './markdown-alternate.ts';

export const ROUNDUPS = {
  title: 'Weekly roundups',
  description: 'Every week, the articles that were read and talked about most.',
} as const;

/** `week` has the form `2026-W47`. */
export function nameRoundup(week: string): string {
  const [year, number] = week.split('-W');
  return `Roundup of week ${Number(number)}, ${year}`;
}

export function formatRoundupListAlternate(weeks: readonly string[], baseUrl: string): string {
  const items = weeks.map((week) => `- [${nameRoundup(week)}](${baseUrl}/roundup/${week}.md)`);
  const body = `${ROUNDUPS.description}\n\n${items.join('\n') || 'There is no roundup yet.'}`;
  return formatPageAlternate({ title: ROUNDUPS.title, address: `${baseUrl}/roundup` }, { baseUrl, body });
}

export function formatRoundupAlternate(week: string, entries: readonly ListedArticle[], baseUrl: string): string {
  const page = { title: nameRoundup(week), address: `${baseUrl}/roundup/${week}` };
  const body = formatItems(baseUrl, entries) || 'All its articles have been withdrawn since.';
  return formatPageAlternate(page, { baseUrl, body });
}
