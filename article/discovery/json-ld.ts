/** The schema.org markup of an article, for the head of its page. */
import type { StoredArticle } from './stored-article.ts';

export type JsonLd = Record<string, unknown>;

/** A graph of the article and the questions it answers. */
export function buildJsonLd(article: StoredArticle): JsonLd {
  const { author, derived } = article;
  const page: JsonLd = {
    '@type': derived.types.includes('TechArticle') ? ['BlogPosting', 'TechArticle'] : 'BlogPosting',
    '@id': `${article.url}#article`,
    headline: article.title,
    ...(article.subtitle === null ? {} : { alternativeHeadline: article.subtitle }),
    description: derived.excerpt,
    url: article.url,
    mainEntityOfPage: article.canonicalUrl,
    ...(article.coverImage === null ? {} : { image: [article.coverImage] }),
    datePublished: article.publishedAt.toISOString(),
    dateModified: article.updatedAt.toISOString(),
    author: {
      '@type': 'Person',
      name: author.name,
      url: author.url,
      ...(author.sameAs.length === 0 ? {} : { sameAs: author.sameAs }),
    },
    keywords: derived.keywords,
    ...(article.category === null ? {} : { articleSection: article.category }),
    wordCount: derived.wordCount,
    timeRequired: `PT${derived.readingTimeMinutes}M`,
  };
  const graph: JsonLd[] = [page];
  if (derived.faqs !== null) {
    graph.push({
      '@type': 'FAQPage',
      '@id': `${article.url}#faq`,
      isPartOf: { '@id': `${article.url}#article` },
      mainEntity: derived.faqs.map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer },
      })),
    });
  }
  return { '@context': 'https://schema.org', '@graph': graph };
}

/** The markup as text for a `script` element, escaped so that no author's text can end the element or open a comment. */
export function formatJsonLd(article: StoredArticle): string {
  const escapes: Record<string, string> = {
    '<': '\\u003c',
    '>': '\\u003e',
    '&': '\\u0026',
    '\u2028': '\\u2028',
    '\u2029': '\\u2029',
  };
  return JSON.stringify(buildJsonLd(article)).replace(/[<>&\u2028\u2029]/g, (mark) => escapes[mark] ?? mark);
}
