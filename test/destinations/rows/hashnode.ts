/** Hashnode's row of the shared contract. */
import { createClient } from '../../../destinations/hashnode/client.ts';
import { hashnode } from '../../../destinations/hashnode/index.ts';
import { DEMO_HASHNODE_PUBLICATION, DEMO_HASHNODE_TOKEN } from '../../../sandbox/app.ts';
import type { Row } from './types.ts';

export const hashnodeRow: Row = {
  key: 'blogsite_b',
  destination: { ...hashnode, createClient },
  path: '/hashnode',
  credentials: { token: DEMO_HASHNODE_TOKEN, publicationId: DEMO_HASHNODE_PUBLICATION },
  refusedCredentials: { token: 'expired-hashnode-token', publicationId: DEMO_HASHNODE_PUBLICATION },
  secret: DEMO_HASHNODE_TOKEN,
  account: `2a97516c354b68848cdbd8f5 ${DEMO_HASHNODE_PUBLICATION}`,
  name: "Demo Author's publication (@demo)",
  missingId: '665f1f77bcf86cd799439099',
  refusal: (words) => ({
    status: 422,
    body: { errors: [{ message: words, extensions: { code: 'BAD_USER_INPUT' } }] },
  }),
  canSaveRefusedPost: true,
  retryAfterMs: 30_000,
  publicReads: true,
  findsEverySpelling: true,
  pageShows: ({ title, body }) => [title, body.trim()],
  async editByHand(origin, remoteId, title) {
    const query = 'mutation ($input: UpdatePostInput!) { updatePost(input: $input) { post { title } } }';
    const answer = await fetch(`${origin}/hashnode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${DEMO_HASHNODE_TOKEN}` },
      body: JSON.stringify({ query, variables: { input: { id: remoteId, title } } }),
    });
    const json = (await answer.json()) as { errors?: unknown };
    if (json.errors) throw new Error(JSON.stringify(json.errors));
  },
};
