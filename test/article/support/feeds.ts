/** Builds feeds as input of the formats, with parts that a test chooses. */
import type { Feed, FeedEntry } from '../../../article/discovery/feeds/feed.ts';
import { SITE } from './documents.ts';

export function buildFeedEntry(parts: Partial<FeedEntry> = {}): FeedEntry {
  return {
    id: '6f1c1c5e-0f6b-4c59-9d1c-1f2f3a4b5c6d',
    url: `${SITE}/an-article`,
    canonicalUrl: `${SITE}/an-article`,
    title: 'An article',
    subtitle: null,
    excerpt: 'What it says.',
    html: '<p>Text.</p>',
    language: 'en',
    tags: ['typescript'],
    category: 'backend',
    author: { name: 'Ada', url: `${SITE}/authors/ada` },
    coverImage: null,
    contentSignal: null,
    publishedAt: new Date('2026-11-20T10:00:00Z'),
    updatedAt: new Date('2026-11-21T10:00:00Z'),
    ...parts,
  };
}

export function buildFeed(...entries: FeedEntry[]): Feed {
  return {
    id: `${SITE}/`,
    title: 'Courant',
    description: 'Articles.',
    pageUrl: `${SITE}/`,
    url: `${SITE}/feed`,
    updatedAt: new Date('2026-11-21T10:00:00Z'),
    entries,
  };
}
