/** Medium's row of the shared contract. */
import { createClient } from '../../../destinations/medium/client.ts';
import { medium } from '../../../destinations/medium/index.ts';
import { DEMO_MEDIUM_TOKEN, DEMO_MEDIUM_USER } from '../../../sandbox/app.ts';
import type { Row } from './types.ts';

export const mediumRow: Row = {
  key: 'blogsite_c',
  destination: { ...medium, createClient },
  path: '/medium/v1',
  credentials: { token: DEMO_MEDIUM_TOKEN, userId: DEMO_MEDIUM_USER },
  refusedCredentials: { token: 'expired-medium-token', userId: DEMO_MEDIUM_USER },
  secret: DEMO_MEDIUM_TOKEN,
  entered: { credentials: { token: DEMO_MEDIUM_TOKEN } },
  account: DEMO_MEDIUM_USER,
  name: '@demo',
  missingId: '1a2b3c4d5e6f',
  refusal: (words) => ({ status: 400, body: { errors: [{ message: words, code: 2004 }] } }),
  canSaveRefusedPost: false,
  retryAfterMs: 30_000,
  publicReads: false,
  findsEverySpelling: false,
  pageShows: ({ title, body, canonicalUrl }) => [title, body.trim(), canonicalUrl],
};
