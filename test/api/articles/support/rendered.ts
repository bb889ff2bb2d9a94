/** Takes the parts of a rendered page that tests compare in full. */
import type { ArticleCard } from '../../../../store/lists/list-articles.ts';

/** The elements of `<head>` from the title on, without the styles. */
export function readHead(page: string): string {
  return page.slice(page.indexOf('<title>'), page.indexOf('<style>')).trim();
}

/** The lines between the site's header and its footer. */
export function readMain(page: string): string {
  return removeBlankLines(/<main [^>]*>[\s\S]*<\/main>/.exec(page)?.[0] ?? '');
}

export function removeBlankLines(html: string): string {
  return html.replaceAll(/\n+/g, '\n').trim();
}

export function buildCard(parts: Partial<ArticleCard> = {}): ArticleCard {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    slug: 'größe',
    title: 'On <size>',
    subtitle: null,
    excerpt: 'What fits.',
    givenCanonicalUrl: null,
    tags: ['c#', '..'],
    language: 'ar',
    readingTimeMinutes: 3,
    coverImage: null,
    seriesId: null,
    seriesTitle: null,
    seriesPart: null,
    authorId: '00000000-0000-4000-8000-000000000002',
    authorName: 'Ada & Co',
    authorUsername: 'ada',
    publishedAt: new Date('2026-11-20T10:00:00Z'),
    publishedMicros: 1_795_168_800_000_000,
    updatedAt: new Date('2026-11-21T10:00:00Z'),
    ...parts,
  };
}
