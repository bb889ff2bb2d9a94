/** Ghost's row of the shared contract. */
import assert from 'node:assert/strict';
import { createClient } from '../../../destinations/ghost/client.ts';
import { ghost } from '../../../destinations/ghost/index.ts';
import { readAdminKey, signToken } from '../../../destinations/ghost/token.ts';
import { DEMO_GHOST_KEY } from '../../../sandbox/app.ts';
import type { Row } from './types.ts';

export const ghostRow: Row = {
  key: 'cms_site',
  destination: { ...ghost, createClient },
  path: '/ghost-site',
  credentials: { adminKey: DEMO_GHOST_KEY },
  refusedCredentials: { adminKey: `${'0'.repeat(24)}:${'0'.repeat(64)}` },
  secret: DEMO_GHOST_KEY,
  account: 'ghost.sandbox.example',
  missingId: '665f1f77bcf86cd799439099',
  refusal: (words) => ({
    status: 422,
    body: { errors: [{ message: 'Validation error, cannot save post.', context: words, type: 'ValidationError' }] },
  }),
  canSaveRefusedPost: true,
  retryAfterMs: 30_000,
  publicReads: false,
  findsEverySpelling: true,
  pageShows: ({ title, body }) => [title, body.trim()],
  async editByHand(origin, remoteId, title) {
    const key = readAdminKey(DEMO_GHOST_KEY);
    assert.ok(key);
    // The sandbox's clock may be ahead; Ghost accepts a token from the future.
    const token = await signToken(key, new Date(Date.now() + 3_600_000));
    const headers = { authorization: `Ghost ${token}`, 'content-type': 'application/json' };
    const url = `${origin}/ghost-site/ghost/api/admin/posts/${remoteId}/`;
    const read = (await (await fetch(url, { headers })).json()) as { posts: { updated_at: string }[] };
    const body = JSON.stringify({ posts: [{ title, updated_at: read.posts[0]?.updated_at }] });
    const saved = await fetch(url, { method: 'PUT', headers, body });
    assert.equal(saved.status, 200, await saved.text());
  },
};
