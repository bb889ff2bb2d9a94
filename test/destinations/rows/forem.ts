/** Forem's row of the shared contract. */
import { createClient } from '../../../destinations/forem/client.ts';
import { forem } from '../../../destinations/forem/index.ts';
import { DEMO_FOREM_KEY } from '../../../sandbox/app.ts';
import type { Row } from './types.ts';

export const foremRow: Row = {
  key: 'blogsite_a',
  destination: { ...forem, createClient },
  path: '/forem/api',
  credentials: { apiKey: DEMO_FOREM_KEY },
  refusedCredentials: { apiKey: 'expired-forem-key' },
  secret: DEMO_FOREM_KEY,
  account: '{host}/forem 10903',
  name: '@demo',
  missingId: '999999',
  refusal: (words) => ({ status: 422, body: { error: words, status: 422 } }),
  canSaveRefusedPost: true,
  retryAfterMs: 30_000,
  publicReads: false,
  findsEverySpelling: true,
  pageShows: ({ title, body }) => [title, body.trim()],
  async editByHand(origin, remoteId, title) {
    const answer = await fetch(`${origin}/forem/api/articles/${remoteId}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'api-key': DEMO_FOREM_KEY },
      body: JSON.stringify({ article: { title } }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  },
};
