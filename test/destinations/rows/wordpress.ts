/** WordPress' row of the shared contract. */
import { createClient } from '../../../destinations/wordpress/client.ts';
import { wordpress } from '../../../destinations/wordpress/index.ts';
import { DEMO_WORDPRESS } from '../../../sandbox/app.ts';
import type { Row } from './types.ts';

const authorization = `Basic ${btoa(`${DEMO_WORDPRESS.username}:${DEMO_WORDPRESS.applicationPassword}`)}`;

export const wordpressRow: Row = {
  key: 'cms_site',
  destination: { ...wordpress, createClient },
  path: '/wordpress/wp-json',
  credentials: { ...DEMO_WORDPRESS, userId: '1' },
  refusedCredentials: { ...DEMO_WORDPRESS, userId: '1', applicationPassword: 'expired app pass word' },
  secret: DEMO_WORDPRESS.applicationPassword,
  account: 'wordpress.sandbox.example 1',
  entered: { credentials: DEMO_WORDPRESS },
  // A cover would be downloaded first.
  article: { coverImage: null },
  isPrepared: true,
  missingId: '999999',
  refusal: (words) => ({ status: 400, body: { code: 'rest_insert_failed', message: words, data: { status: 400 } } }),
  canSaveRefusedPost: true,
  retryAfterMs: 30_000,
  publicReads: false,
  findsEverySpelling: true,
  pageShows: ({ title, body, canonicalUrl }) => [title, body.trim(), `href="${canonicalUrl}"`],
  async editByHand(origin, remoteId, title) {
    const headers = { authorization, 'content-type': 'application/json' };
    const url = `${origin}/wordpress/wp-json/wp/v2/posts/${remoteId}`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ title }) });
    if (!answer.ok) throw new Error(await answer.text());
  },
};
