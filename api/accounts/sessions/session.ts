/** GraphQL type of an opened or refreshed session. */

import { builder } from '../../graphql/builder.ts';
import type { SessionTokens } from '../sign-in/open-session.ts';
import '../../graphql/date-time.ts';

export const Session = builder.objectRef<SessionTokens>('Session').implement({
  description: 'What signing in gives.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', {
      description:
        'A JWT for this endpoint and for /notifications/sse-token; valid for one hour, and while the session is open.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the access token expires.' }),
    refreshToken: t.exposeString('refreshToken', {
      description: 'For `refreshSession`, once; the session ends where it is not used for thirty days.',
    }),
  }),
});
