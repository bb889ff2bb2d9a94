/** Formats the Markdown alternates of pages for agents: frontmatter, then content. */
import { formatDate } from '../text/format-date.ts';
import { writeFrontmatter } from '../text/write-frontmatter.ts';
import { buildDocumentUrl } from './addresses.ts';
import { formatContentSignal } from './content-signal.ts';
import { escapeLinkText, escapeMarkdown, escapeTarget } from './escape-markdown.ts';
import { buildFeedUrl, FEED_FORMATS } from './feeds/feed-formats.ts';
import type { StoredArticle } from './stored-article.ts';

export function formatArticleAlternate(
  article: StoredArticle,
  { baseUrl, body }: { baseUrl: string; body: string },
): string {
  const { author, derived } = article;
  const signal = formatContentSignal(article.contentSignal);
  const head = writeFrontmatter({
    title: article.title,
    author: author.name,
    author_url: author.url,
    canonical_url: article.canonicalUrl,
    published: article.publishedAt.toISOString(),
    updated: article.updatedAt.toISOString(),
    language: derived.language ?? null,
    tags: article.tags,
    content_signal: signal || null,
    content_hash: derived.contentHash,
    json: buildDocumentUrl(baseUrl, article.slug),
    site_index: `${baseUrl}/llms.txt`,
  });
  return joinBlocks(
    head,
    `# ${escapeMarkdown(article.title)}`,
    article.subtitle === null ? '' : escapeMarkdown(article.subtitle),
    `By [${escapeLinkText(author.name)}](${escapeTarget(author.url)}) · ${formatDate(article.publishedAt)} · ${derived.readingTimeMinutes} min read`,
    formatTags(article.tags),
    body,
  );
}

export interface ListedArticle {
  slug: string;
  title: string;
  excerpt: string;
  authorName: string;
  publishedAt?: Date;
  tags?: readonly string[];
}

/** For pages that list articles and have feeds. `address` is the address of the page. */
export function formatListAlternate(
  { title, description, address }: { title: string; description: string; address: string },
  { baseUrl, entries }: { baseUrl: string; entries: readonly ListedArticle[] },
): string {
  const feeds = FEED_FORMATS.map((format) => `[${format.name}](${buildFeedUrl(address, format)})`).join(' · ');
  const items = formatItems(baseUrl, entries) || 'Nothing is published yet.';
  const body = joinBlocks(escapeMarkdown(description), items, `Follow as ${feeds}`);
  return formatPageAlternate({ title, address }, { baseUrl, body });
}

export function formatItems(baseUrl: string, entries: readonly ListedArticle[]): string {
  return entries.map((entry) => formatItem(baseUrl, entry)).join('\n\n');
}

/** For pages that are no articles. `body` is Markdown. */
export function formatPageAlternate(
  { title, address }: { title: string; address: string },
  { baseUrl, body }: { baseUrl: string; body: string },
): string {
  const head = writeFrontmatter({ title, canonical_url: address, site_index: `${baseUrl}/llms.txt` });
  return joinBlocks(head, `# ${escapeMarkdown(title)}`, body);
}

function formatItem(
  baseUrl: string,
  { slug, title, excerpt, authorName, publishedAt, tags = [] }: ListedArticle,
): string {
  const by = `${escapeMarkdown(authorName)}${publishedAt ? ` · ${formatDate(publishedAt)}` : ''}`;
  const about = excerpt === '' ? '' : `\n\n  ${escapeMarkdown(excerpt)}`;
  const tagged = tags.length === 0 ? '' : `\n\n  ${formatTags(tags)}`;
  return `- [${escapeLinkText(title)}](${baseUrl}/${encodeURIComponent(slug)}.md)${about}\n\n  ${by}${tagged}`;
}

function formatTags(tags: readonly string[]): string {
  return tags.map((tag) => `\\#${escapeMarkdown(tag)}`).join(' ');
}

function joinBlocks(...blocks: string[]): string {
  return `${blocks
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .join('\n\n')}\n`;
}
