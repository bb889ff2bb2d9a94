/** Builds a stored article for read paths, with parts that a test chooses. */
import type { CatalogueSite } from '../../../article/discovery/catalogue.ts';
import type { StoredArticle } from '../../../article/discovery/stored-article.ts';
import type { DerivedArticle } from '../../../article/types.ts';
import { SITE } from './documents.ts';

export const catalogueSite: CatalogueSite = {
  name: 'Courant',
  baseUrl: SITE,
  description: 'Where developers publish.',
  contentSignal: {},
  hasRoundups: false,
};

export const derivedArticle: DerivedArticle = {
  html: '<p>Text.</p>',
  plainText: 'Text.',
  language: 'en',
  excerpt: 'Text.',
  headings: [{ level: 2, text: 'Part one', id: 'part-one' }],
  outboundReferences: ['https://elsewhere.example/a'],
  topicSignals: ['typescript'],
  keywords: ['typescript', 'testing'],
  entities: ['Node.js'],
  keyTakeaways: ['Test it.'],
  types: ['TechArticle', 'BlogPosting'],
  audience: 'developers',
  tone: 'explanatory',
  primaryTopic: 'typescript',
  tldr: 'Text.',
  faqs: null,
  wordCount: 1,
  readingTimeMinutes: 1,
  contentHash: 'sha256:00',
};

export function buildStoredArticle(parts: Partial<StoredArticle> = {}): StoredArticle {
  return {
    slug: 'an-article',
    url: `${SITE}/an-article`,
    canonicalUrl: 'https://elsewhere.example/an-article',
    title: 'An article',
    subtitle: null,
    tags: ['typescript'],
    category: null,
    author: {
      name: 'Ada',
      username: 'ada',
      url: `${SITE}/@ada`,
      isTrusted: true,
      sameAs: ['https://elsewhere.example/ada'],
    },
    publishedAt: new Date('2026-11-20T10:00:00Z'),
    updatedAt: new Date('2026-11-21T10:00:00Z'),
    derived: derivedArticle,
    coverImage: null,
    contentSignal: {},
    ...parts,
  };
}
