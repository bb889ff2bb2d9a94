/** LinkedIn's row of the shared contract. */
import { createClient } from '../../../destinations/linkedin/client.ts';
import { linkedin } from '../../../destinations/linkedin/index.ts';
import { DEMO_LINKEDIN_PERSON, DEMO_LINKEDIN_TOKEN } from '../../../sandbox/app.ts';
import type { Row } from './types.ts';

const AUTHOR = `urn:li:person:${DEMO_LINKEDIN_PERSON}`;

export const linkedinRow: Row = {
  key: 'social_feed',
  destination: { ...linkedin, createClient },
  path: '/linkedin',
  credentials: { accessToken: DEMO_LINKEDIN_TOKEN, authorUrn: AUTHOR },
  refusedCredentials: { accessToken: 'expired-linkedin-token', authorUrn: AUTHOR },
  secret: DEMO_LINKEDIN_TOKEN,
  entered: { credentials: { accessToken: DEMO_LINKEDIN_TOKEN } },
  account: AUTHOR,
  name: 'Demo Author',
  // A cover would be downloaded first.
  article: { coverImage: null },
  missingId: 'urn:li:share:1',
  refusal: (words) => ({ status: 422, body: { message: words, errorDetails: { inputErrors: [] }, status: 422 } }),
  canSaveRefusedPost: false,
  // The daily quota has no Retry-After and ends at 00:00 UTC.
  retryAfterMs: 'until midnight',
  publicReads: false,
  findsEverySpelling: false,
  pageShows: ({ title, excerpt, canonicalUrl }) => [title, excerpt, canonicalUrl],
};
