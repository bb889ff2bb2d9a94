/**
 * Builds the structured description (specification 2.6). docs/internals/description.md has the
 * rules.
 */
import type { StoredArticle } from './stored-article.ts';

export function describeArticle(article: StoredArticle) {
  const { author, derived } = article;
  return {
    schemaVersion: '1.0' as const,
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
