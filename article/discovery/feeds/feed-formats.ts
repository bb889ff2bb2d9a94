/** The feed formats, with the file name of each at every list. */
import { formatAtom } from './atom.ts';
import type { Feed } from './feed.ts';
import { formatJsonFeed } from './json-feed.ts';
import { formatRss } from './rss.ts';

export interface FeedFormat {
  name: string;
  file: 'feed.xml' | 'atom.xml' | 'feed.json';
  type: string;
  format: (feed: Feed) => string;
}

export const FEED_FORMATS: readonly FeedFormat[] = [
  { name: 'RSS', file: 'feed.xml', type: 'application/rss+xml', format: formatRss },
  { name: 'Atom', file: 'atom.xml', type: 'application/atom+xml', format: formatAtom },
  { name: 'JSON Feed', file: 'feed.json', type: 'application/feed+json', format: formatJsonFeed },
];

/** The feed of the list at this page address; the root is the page of the site. */
export function buildFeedUrl(pageUrl: string, { file }: Pick<FeedFormat, 'file'>): string {
  return `${pageUrl.replace(/\/$/, '')}/${file}`;
}
