/** Imports the stories of a Medium user from the feed, because the API has no list. */
import type { ListedPost, SourceNotice } from '../article/import/import-address.ts';
import type { SourcePost } from '../article/import/source-post.ts';
import { findApiRoot } from '../destinations/medium/address.ts';
import { LABEL } from '../destinations/medium/limits.ts';
import { listFeed } from './feed.ts';
import { readName, readUrl } from './identifier.ts';
import type { Source } from './types.ts';

const SITE = 'https://medium.com';
/** The feed never contains more. */
const MAX_FEED_STORIES = 10;

export const mediumSource: Source = {
  label: LABEL,
  intervalMs: 1_000,

  readPlace(identifier, connectedTo) {
    const url = readUrl(identifier);
    const site = url === null ? findSite(connectedTo) : url.origin;
    const name = readName(identifier);
    if (url !== null) return readAddress(url);
    if (name === null) return { problem: `Enter the user name at ${LABEL}, or the address of the profile there.` };
    return { baseUrl: `${site}/feed/@${name}`, name, origin: 'medium' };
  },

  async list({ baseUrl }, cursor, context) {
    const page = await listFeed(baseUrl, cursor, context, { name: `The feed of ${LABEL}`, isMedium: true });
    if (page.kind !== 'done') return page;
    const { posts, notices } = page.value;
    const message = `${LABEL} lists only the ${MAX_FEED_STORIES} newest stories. Older ones are in the archive that it sends you on request.`;
    const more: SourceNotice[] = posts.length >= MAX_FEED_STORIES ? [{ code: 'only_newest', message }] : [];
    return { kind: 'done', value: { posts: posts.map(readStory), next: null, notices: [...notices, ...more] } };
  },
};

/** Accepts `medium.com/@ann`, `ann.medium.com`, a feed of either, or a publication. */
function readAddress({ origin, host, pathname }: URL) {
  const path = pathname.replace(/\/+$/, '');
  const isFeed = /(?:^|\/)feed(?:\/|$)/.test(path);
  const person = /^(.*)\/(@[^/]+)$/.exec(path);
  const feed =
    isFeed || path === ''
      ? `${path === '' ? '/feed' : path}`
      : person
        ? `${person[1]}/feed/${person[2]}`
        : `/feed${path}`;
  return {
    baseUrl: `${origin}${feed}`,
    name: person?.[2]?.slice(1) ?? /^([^.]+)\.medium\.com$/.exec(host)?.[1] ?? '',
    origin: 'medium',
  };
}

/** A sandbox serves its feeds beside its API. */
function findSite(connectedTo: string | null): string {
  const root = connectedTo === null ? '' : findApiRoot(connectedTo);
  return root === '' || /^https?:\/\/api\.medium\.com\//.test(root) ? SITE : root.replace(/\/v1$/, '');
}

/** The id is the last part of the `guid`, and of the slug in the address. */
function readStory({ post, ...listed }: ListedPost<SourcePost>): ListedPost<SourcePost> {
  const remoteId = /\/p\/([\da-f]{6,16})$/.exec(post.remoteId)?.[1] ?? post.remoteId;
  const slug = post.slug?.replace(/-[\da-f]{8,16}$/, '') || null;
  return { ...listed, post: { ...post, remoteId, slug, url: dropQuery(post) } };
}

function dropQuery({ url }: SourcePost): string | null {
  return url === null ? null : url.replace(/\?.*$/, '');
}
