/** GraphQL type of an opened or refreshed session. */

import type { SessionTokens } from '../../auth/open-session.ts';
import { builder } from '../../graphql/builder.ts';
import '../../graphql/date-time.ts';

export const Session = builder.objectRef<SessionTokens>('Session').implement({
  description: 'The tokens of an open session.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', {
      description:
        'A JWT for this endpoint and for /notifications/sse-token. Valid for one hour, while the session is open.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the access token expires.' }),
    refreshToken: t.exposeString('refreshToken', {
      description: 'The token for `refreshSession`, valid once. The session ends if it is not used for thirty days.',
    }),
  }),
});
