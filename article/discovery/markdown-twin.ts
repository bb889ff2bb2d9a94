/** A page as Markdown for agents: what it is, whose and when, and then what it says. */
import { stringify } from 'yaml';
import { formatDate } from '../text/format-date.ts';
import { buildDocumentUrl } from './addresses.ts';
import { formatContentSignal } from './content-signal.ts';
import { escapeLinkText, escapeMarkdown, escapeTarget } from './escape-markdown.ts';
import type { StoredArticle } from './stored-article.ts';

/** `body` is Markdown already. */
export function formatArticleTwin(
  article: StoredArticle,
  { baseUrl, body }: { baseUrl: string; body: string },
): string {
  const { author, derived } = article;
  const signal = formatContentSignal(article.contentSignal);
  const head = formatHead({
    title: article.title,
    author: author.name,
    author_url: author.url,
    canonical_url: article.canonicalUrl,
    published: article.publishedAt.toISOString(),
    updated: article.updatedAt.toISOString(),
    ...(derived.language ? { language: derived.language } : {}),
    ...(article.tags.length > 0 ? { tags: article.tags } : {}),
    ...(signal === '' ? {} : { content_signal: signal }),
    content_hash: derived.contentHash,
    json: buildDocumentUrl(baseUrl, article.slug),
    site_index: `${baseUrl}/llms.txt`,
  });
  return joinBlocks(
    head,
    `# ${escapeMarkdown(article.title)}`,
    article.subtitle === null ? '' : escapeMarkdown(article.subtitle),
    `By [${escapeLinkText(author.name)}](${escapeTarget(author.url)}) · ${formatDate(article.publishedAt)} · ${derived.readingTimeMinutes} min read`,
    article.tags.map((tag) => `\\#${escapeMarkdown(tag)}`).join(' '),
    body,
  );
}

/** What a list says of one article. */
export interface ListedArticle {
  slug: string;
  title: string;
  excerpt: string;
  authorName: string;
  publishedAt: Date | null;
}

/** Of the front page, of an author's page, and of any other page that lists articles. `address` is that of the page. */
export function formatListTwin(
  { title, address }: { title: string; address: string },
  { baseUrl, entries }: { baseUrl: string; entries: readonly ListedArticle[] },
): string {
  const head = formatHead({ title, canonical_url: address, site_index: `${baseUrl}/llms.txt` });
  const items = entries.map((entry) => formatItem(baseUrl, entry));
  return joinBlocks(
    head,
    `# ${escapeMarkdown(title)}`,
    ...(items.length > 0 ? [items.join('\n\n')] : ['Nothing is published yet.']),
  );
}

function formatItem(baseUrl: string, { slug, title, excerpt, authorName, publishedAt }: ListedArticle): string {
  const by = `${escapeMarkdown(authorName)}${publishedAt ? ` · ${formatDate(publishedAt)}` : ''}`;
  const about = excerpt === '' ? '' : `\n\n  ${escapeMarkdown(excerpt)}`;
  return `- [${escapeLinkText(title)}](${baseUrl}/${encodeURIComponent(slug)}.md)${about}\n\n  ${by}`;
}

/** Texts in quotes and on one line: a value of an author's is a value. */
function formatHead(fields: Record<string, unknown>): string {
  return `---\n${stringify(fields, { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' })}---`;
}

function joinBlocks(...blocks: string[]): string {
  return `${blocks
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .join('\n\n')}\n`;
}
