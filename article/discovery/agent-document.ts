/** The JSON document of an article for AI agents (specification 2.5). */
import type { StoredArticle } from './stored-article.ts';

export function buildAgentDocument(article: StoredArticle) {
  const { author, derived } = article;
  return {
    slug: article.slug,
    title: article.title,
    canonicalUrl: article.canonicalUrl,
    author: { name: author.name, username: author.username, isTrustedAuthor: author.isTrusted },
    publishedAt: article.publishedAt.toISOString(),
    updatedAt: article.updatedAt.toISOString(),
    topicSignals: derived.topicSignals,
    headings: derived.headings.map(({ level, text }) => ({ level, text })),
    outboundReferences: derived.outboundReferences,
    contentHash: derived.contentHash,
    plainTextContent: derived.plainText,
  };
}
