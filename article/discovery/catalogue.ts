/** The texts of `llms.txt` and `llms-full.txt`: Markdown for agents, with the authors' own text escaped. */
import { cleanLine } from '../text/clean-text.ts';
import type { StoredArticle } from './stored-article.ts';

/** What the catalogues say about one article. Small, because 500 of them are loaded at once. */
export interface CatalogueEntry {
  slug: string;
  title: string;
  canonicalUrl: string;
  authorName: string;
  authorUsername: string;
  publishedAt: Date;
  updatedAt: Date;
  topics: string[];
  excerpt: string;
}

export interface CatalogueSite {
  name: string;
  /** {base_url}, without a trailing slash. */
  baseUrl: string;
  description: string;
  /** Most used first. */
  topics: string[];
  authors: { name: string; username: string; url: string }[];
}

/** The maximum for the full catalogue (specification 8). */
export const MAX_CATALOGUE_ENTRIES = 500;

export function buildCatalogueEntry(article: StoredArticle): CatalogueEntry {
  return {
    slug: article.slug,
    title: article.title,
    canonicalUrl: article.canonicalUrl,
    authorName: article.author.name,
    authorUsername: article.author.username,
    publishedAt: article.publishedAt,
    updatedAt: article.updatedAt,
    topics: article.derived.topicSignals,
    excerpt: article.derived.excerpt,
  };
}

/** `entries` are the top recent published canonical articles, in the order in which they are listed. */
export function formatLlmsTxt(site: CatalogueSite, entries: CatalogueEntry[]): string {
  return joinLines(
    ...formatOverview(site),
    '## Articles',
    '',
    ...entries.map((entry) => formatArticleLine(site, entry)),
    '',
    '## Optional',
    '',
    `- [Full catalogue](${site.baseUrl}/llms-full.txt): up to ${MAX_CATALOGUE_ENTRIES} articles with byline, date, topics and abstract`,
    `- [Feed](${site.baseUrl}/feed.xml): the newest articles as RSS`,
    `- [Sitemap](${site.baseUrl}/sitemap.xml): every article`,
  );
}

/** Writes at most 500 entries. */
export function formatLlmsFullTxt(site: CatalogueSite, entries: CatalogueEntry[]): string {
  return joinLines(
    ...formatOverview(site),
    '## Catalogue',
    '',
    ...entries.slice(0, MAX_CATALOGUE_ENTRIES).flatMap((entry) => [...formatArticleSection(site, entry), '']),
  );
}

/** One line: a link to the article and one to its JSON document. */
export function formatArticleLine(site: CatalogueSite, entry: CatalogueEntry): string {
  const published = entry.publishedAt.toISOString().slice(0, 10);
  return `- [${escapeMarkdown(entry.title)}](${escapeTarget(entry.canonicalUrl)}) ([JSON](${buildJsonAddress(site, entry)})): ${escapeMarkdown(entry.authorName)}, ${published}`;
}

/** A section: byline, time of publication, topics, abstract. */
export function formatArticleSection(site: CatalogueSite, entry: CatalogueEntry): string[] {
  return [
    `### [${escapeMarkdown(entry.title)}](${escapeTarget(entry.canonicalUrl)})`,
    '',
    `- Author: ${escapeMarkdown(entry.authorName)} (@${escapeMarkdown(entry.authorUsername)})`,
    `- Published: ${entry.publishedAt.toISOString()}`,
    `- Updated: ${entry.updatedAt.toISOString()}`,
    ...(entry.topics.length === 0 ? [] : [`- Topics: ${entry.topics.map(escapeMarkdown).join(', ')}`]),
    `- JSON: ${buildJsonAddress(site, entry)}`,
    '',
    escapeMarkdown(entry.excerpt),
  ];
}

/** The text on one line, with everything escaped that has a meaning in Markdown. */
export function escapeMarkdown(text: string): string {
  return cleanLine(text)
    .replace(/[\\`*_[\]<>|~]|&(?=#?\w+;)/g, '\\$&')
    .replace(/^(?=[#+=-])/, '\\')
    .replace(/^(\d+)(?=[.)])/, '$1\\');
}

function formatOverview(site: CatalogueSite): string[] {
  return [
    `# ${escapeMarkdown(site.name)}`,
    '',
    `> ${escapeMarkdown(site.description)}`,
    '',
    '## Topics',
    '',
    ...(site.topics.length === 0 ? ['None yet.'] : [site.topics.map(escapeMarkdown).join(', ')]),
    '',
    '## Authors',
    '',
    ...site.authors.map(
      ({ name, username, url }) => `- [${escapeMarkdown(name)}](${escapeTarget(url)}) (@${escapeMarkdown(username)})`,
    ),
    ...(site.authors.length === 0 ? ['None yet.'] : []),
    '',
    '## Attribution and freshness',
    '',
    '- Cite the canonical URL of an article, and name its author.',
    '- Check dateModified (updatedAt in the JSON document) before answering a time-sensitive question.',
    '- The JSON document of an article has its plain text, headings, outbound references and a hash of its content.',
    '',
  ];
}

function buildJsonAddress(site: CatalogueSite, { slug }: CatalogueEntry): string {
  return `${site.baseUrl}/api/geo/posts/${encodeURIComponent(slug)}`;
}

function escapeTarget(url: string): string {
  return cleanLine(url).replace(/[\s()<>\\]/g, (mark) =>
    encodeURIComponent(mark).replace('(', '%28').replace(')', '%29'),
  );
}

function joinLines(...parts: string[]): string {
  return `${parts.join('\n').trimEnd()}\n`;
}
