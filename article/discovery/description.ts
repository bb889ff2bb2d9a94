/** Builds the structured description (specification 2.6). docs/description.md has the rules. */
import type { FaqEntry } from '../types.ts';
import type { StoredArticle } from './stored-article.ts';

export interface ArticleDescription {
  schemaVersion: '1.0';
  type: string;
  types: string[];
  slug: string;
  url: string;
  title: string;
  subtitle: string;
  tldr: string;
  keywords: string[];
  entities: string[];
  keyTakeaways: string[];
  headings: string[];
  outboundLinks: string[];
  contentText: string;
  contentHash: string;
  authorName: string;
  authorUrl: string;
  authorSameAs: string[];
  category: string | null;
  tags: string[];
  audience: string;
  tone: string;
  readingTimeMinutes: number;
  wordCount: number;
  faqs: FaqEntry[] | null;
  primaryTopic: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
  updatedAt: string;
  canonicalUrl: string;
}

export function describeArticle(article: StoredArticle): ArticleDescription {
  const { author, derived } = article;
  return {
    schemaVersion: '1.0',
    type: derived.types[0] ?? 'BlogPosting',
    types: derived.types,
    slug: article.slug,
    url: article.url,
    title: article.title,
    // The specification requires a string; the excerpt replaces a missing subtitle.
    subtitle: article.subtitle ?? derived.excerpt,
    tldr: derived.tldr,
    keywords: derived.keywords,
    entities: derived.entities,
    keyTakeaways: derived.keyTakeaways,
    headings: derived.headings.map(({ text }) => text),
    outboundLinks: derived.outboundReferences,
    contentText: derived.plainText,
    contentHash: derived.contentHash,
    authorName: author.name,
    authorUrl: author.url,
    authorSameAs: author.sameAs,
    category: article.category,
    tags: article.tags,
    audience: derived.audience,
    tone: derived.tone,
    readingTimeMinutes: derived.readingTimeMinutes,
    wordCount: derived.wordCount,
    faqs: derived.faqs,
    primaryTopic: derived.primaryTopic,
    publishedAt: article.publishedAt.toISOString(),
    updatedAt: article.updatedAt.toISOString(),
    canonicalUrl: article.canonicalUrl,
  };
}
