/** Tests the structured data of articles and of the site, and the structured description. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeArticle } from '../../../article/discovery/description.ts';
import { buildJsonLd, buildSiteJsonLd, formatJsonLd } from '../../../article/discovery/json-ld.ts';
import { describeSite } from '../../../article/discovery/site.ts';
import { SITE } from '../support/documents.ts';
import { buildStoredArticle, derivedArticle } from '../support/stored-article.ts';

const site = describeSite(SITE);
const ORGANIZATION = {
  ...{ '@type': 'Organization', '@id': `${SITE}/#organization` },
  ...{ name: 'Courant', url: `${SITE}/` },
};
const article = buildStoredArticle({
  ...{ subtitle: 'A subtitle', category: 'tools', coverImage: 'https://x.example/c.png' },
  derived: { ...derivedArticle, faqs: [{ question: 'Why?', answer: 'So.' }] },
});

test('an article is described with its author, publisher, breadcrumbs and questions', () => {
  const page = {
    '@type': ['BlogPosting', 'TechArticle'],
    '@id': `${SITE}/an-article#article`,
    headline: 'An article',
    alternativeHeadline: 'A subtitle',
    description: 'Text.',
    url: `${SITE}/an-article`,
    mainEntityOfPage: 'https://elsewhere.example/an-article',
    image: ['https://x.example/c.png'],
    datePublished: '2026-11-20T10:00:00.000Z',
    dateModified: '2026-11-21T10:00:00.000Z',
    author: { '@type': 'Person', name: 'Ada', url: `${SITE}/@ada`, sameAs: ['https://elsewhere.example/ada'] },
    keywords: ['typescript', 'testing'],
    inLanguage: 'en',
    isAccessibleForFree: true,
    isPartOf: { '@id': `${SITE}/#website` },
    publisher: ORGANIZATION,
    articleSection: 'tools',
    commentCount: 0,
    discussionUrl: `${SITE}/an-article#comments`,
    wordCount: 1,
    timeRequired: 'PT1M',
  };
  const breadcrumbs = {
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: 'Courant', item: `${SITE}/` },
      { '@type': 'ListItem', position: 2, name: 'Ada', item: `${SITE}/@ada` },
      { '@type': 'ListItem', position: 3, name: 'An article', item: `${SITE}/an-article` },
    ],
  };
  const answer = { '@type': 'Answer', text: 'So.' };
  const questions = {
    '@type': 'FAQPage',
    '@id': `${SITE}/an-article#faq`,
    isPartOf: { '@id': `${SITE}/an-article#article` },
    mainEntity: [{ '@type': 'Question', name: 'Why?', acceptedAnswer: answer }],
  };
  assert.deepEqual(buildJsonLd(article, site, { commentCount: 0 }), {
    '@context': 'https://schema.org',
    '@graph': [page, breadcrumbs, questions],
  });
});

test('the description of an article omits what is unknown', () => {
  const { author } = article;
  const bare = buildStoredArticle({
    author: { ...author, sameAs: [] },
    derived: { ...derivedArticle, types: ['BlogPosting'], language: null },
  });
  const graph = buildJsonLd(bare, site)['@graph'] as Record<string, unknown>[];
  assert.deepEqual(
    graph.map(({ '@type': type }) => type),
    ['BlogPosting', 'BreadcrumbList'],
  );
  const names = ['alternativeHeadline', 'image', 'inLanguage', 'articleSection', 'commentCount', 'discussionUrl'];
  assert.deepEqual(
    names.filter((name) => name in (graph[0] ?? {})),
    [],
  );
  assert.deepEqual(graph[0]?.author, { '@type': 'Person', name: 'Ada', url: `${SITE}/@ada` });
  const [drawn] = buildJsonLd(bare, site, { image: `${SITE}/card.png` })['@graph'] as Record<string, unknown>[];
  assert.deepEqual(drawn?.image, [`${SITE}/card.png`]);
});

test('the site is described with its publisher', () => {
  assert.deepEqual(buildSiteJsonLd(site), {
    '@context': 'https://schema.org',
    '@graph': [
      ORGANIZATION,
      {
        '@type': 'WebSite',
        '@id': `${SITE}/#website`,
        name: 'Courant',
        description:
          'Articles by people who write in Markdown and publish here first. Each has one canonical address and is available as a page, as Markdown and as JSON.',
        url: `${SITE}/`,
        publisher: { '@id': `${SITE}/#organization` },
      },
    ],
  });
});

test('no text of an author can end the script element', () => {
  const headline = '</script><!-- & \u2028\u2029';
  const markup = formatJsonLd({ headline });
  assert.equal(markup, '{"headline":"\\u003c/script\\u003e\\u003c!-- \\u0026 \\u2028\\u2029"}');
  assert.deepEqual(JSON.parse(markup), { headline });
});

test('the structured description has the derived data of an article', () => {
  const expected = {
    ...{ schemaVersion: '1.0', type: 'TechArticle', types: ['TechArticle', 'BlogPosting'], slug: 'an-article' },
    ...{ url: `${SITE}/an-article`, title: 'An article', subtitle: 'A subtitle', tldr: 'Text.' },
    ...{ keywords: ['typescript', 'testing'], entities: ['Node.js'], keyTakeaways: ['Test it.'] },
    ...{ headings: ['Part one'], outboundLinks: ['https://elsewhere.example/a'], contentText: 'Text.' },
    ...{ contentHash: 'sha256:00', authorName: 'Ada', authorUrl: `${SITE}/@ada` },
    ...{ authorSameAs: ['https://elsewhere.example/ada'], category: 'tools', tags: ['typescript'] },
    ...{ audience: 'developers', tone: 'explanatory', readingTimeMinutes: 1, wordCount: 1 },
    ...{ faqs: [{ question: 'Why?', answer: 'So.' }], primaryTopic: 'typescript' },
    ...{ publishedAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-21T10:00:00.000Z' },
    canonicalUrl: 'https://elsewhere.example/an-article',
  };
  assert.deepEqual(describeArticle(article), expected);
  const { derived } = article;
  const bare = describeArticle({ ...article, subtitle: null, derived: { ...derived, types: [], excerpt: 'First.' } });
  assert.deepEqual([bare.type, bare.subtitle], ['BlogPosting', 'First.']);
});
