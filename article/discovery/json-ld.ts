/** Builds the schema.org markup of articles and of the site, for the heads of their pages. */
import type { Site } from './site.ts';
import type { StoredArticle } from './stored-article.ts';

export type JsonLd = Record<string, unknown>;

/** Facts outside of the article: its picture (the author's or a card), its number of comments. */
export interface ArticleFacts {
  image?: string | null;
  commentCount?: number;
}

export function buildJsonLd(
  article: StoredArticle,
  site: Site,
  { image = article.coverImage, commentCount }: ArticleFacts = {},
): JsonLd {
  const { author, derived } = article;
  const page: JsonLd = {
    '@type': derived.types.includes('TechArticle') ? ['BlogPosting', 'TechArticle'] : 'BlogPosting',
    '@id': `${article.url}#article`,
    headline: article.title,
    ...(article.subtitle === null ? {} : { alternativeHeadline: article.subtitle }),
    description: derived.excerpt,
    url: article.url,
    mainEntityOfPage: article.canonicalUrl,
    ...(image === null ? {} : { image: [image] }),
    datePublished: article.publishedAt.toISOString(),
    dateModified: article.updatedAt.toISOString(),
    author: {
      '@type': 'Person',
      name: author.name,
      url: author.url,
      ...(author.sameAs.length === 0 ? {} : { sameAs: author.sameAs }),
    },
    keywords: derived.keywords,
    ...(derived.language ? { inLanguage: derived.language } : {}),
    isAccessibleForFree: true,
    isPartOf: { '@id': `${site.baseUrl}/#website` },
    publisher: describeOrganization(site),
    ...(article.category === null ? {} : { articleSection: article.category }),
    ...(commentCount === undefined ? {} : { commentCount, discussionUrl: `${article.url}#comments` }),
    wordCount: derived.wordCount,
    timeRequired: `PT${derived.readingTimeMinutes}M`,
  };
  const graph: JsonLd[] = [page, describeBreadcrumbs(article, site)];
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

export function buildSiteJsonLd(site: Site): JsonLd {
  const website = {
    '@type': 'WebSite',
    '@id': `${site.baseUrl}/#website`,
    name: site.name,
    description: site.description,
    url: `${site.baseUrl}/`,
    publisher: { '@id': `${site.baseUrl}/#organization` },
  };
  return { '@context': 'https://schema.org', '@graph': [describeOrganization(site), website] };
}

function describeOrganization({ name, baseUrl }: Site): JsonLd {
  return { '@type': 'Organization', '@id': `${baseUrl}/#organization`, name, url: `${baseUrl}/` };
}

function describeBreadcrumbs({ title, url, author }: StoredArticle, { name, baseUrl }: Site): JsonLd {
  const steps = [
    { name, item: `${baseUrl}/` },
    { name: author.name, item: author.url },
    { name: title, item: url },
  ];
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step })),
  };
}

/** Escaped for a `script` element: no author's text can end the element or open a comment. */
export function formatJsonLd(markup: JsonLd): string {
  const escapes: Record<string, string> = {
    '<': '\\u003c',
    '>': '\\u003e',
    '&': '\\u0026',
    '\u2028': '\\u2028',
    '\u2029': '\\u2029',
  };
  return JSON.stringify(markup).replace(/[<>&\u2028\u2029]/g, (mark) => escapes[mark] ?? mark);
}
