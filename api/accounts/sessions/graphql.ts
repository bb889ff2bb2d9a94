/** GraphQL fields that open, refresh, list and end sessions. */
import { endSession, endSessions } from '../../../store/sessions/end-sessions.ts';
import { listSessions } from '../../../store/sessions/session-status.ts';
import { login } from '../../auth/login.ts';
import { continueSession, describeClient, type SessionTokens } from '../../auth/open-session.ts';
import { getSession } from '../../auth/session-hook.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder, exposeFields } from '../../graphql/builder.ts';

export const Session = builder.objectRef<SessionTokens>('Session').implement({
  description: 'The tokens of an open session.',
  fields: (t) => ({
    ...exposeFields(t, {
      accessToken: [
        'String!',
        'A JWT for this endpoint and for /notifications/sse-token. Valid for one hour, while the session is open.',
      ],
      expiresAt: ['DateTime!', 'When the access token expires.'],
      refreshToken: [
        'String!',
        'The token for `refreshSession`, valid once. The session ends if it is not used for thirty days.',
      ],
    }),
  }),
});

type OpenSessionRow = Awaited<ReturnType<typeof listSessions>>[number];

const OpenSession = builder.objectRef<OpenSessionRow>('OpenSession').implement({
  description: 'A device that is signed in to the account.',
  fields: (t) => ({
    ...exposeFields(t, {
      id: ['ID!', 'The id for `revokeSession`.'],
      userAgent: ['String', 'The User-Agent header of the sign-in.'],
      createdAt: ['DateTime!', 'When the session was opened.'],
      lastUsedAt: ['DateTime!', 'When the session was last refreshed, accurate to the hour.'],
      expiresAt: ['DateTime!', 'When the session ends if it is not refreshed.'],
    }),
    current: t.boolean({
      description: 'Whether this request uses the session.',
      resolve: ({ id }, _args, { request }) => request.session?.sessionId === id,
    }),
  }),
});

builder.queryField('sessions', (t) =>
  t.field({
    type: [OpenSession],
    description: 'The open sessions of the account, last used first; at most 100.',
    resolve: (_root, _args, { deps, request }) => listSessions(deps.db, getSession(request).userId, deps.now()),
  }),
);

builder.mutationFields((t) => ({
  login: t.field({
    type: Session,
    skipTypeScopes: true,
    description:
      'Opens a session. If the account has more than 100, the least recently used one ends. Errors: UNAUTHENTICATED, RATE_LIMITED, SUSPENDED.',
    args: {
      email: t.arg.string({ required: true, description: 'The e-mail address, in any letter case.' }),
      password: t.arg.string({ required: true, description: 'The password.' }),
    },
    resolve: (_root, args, { deps, request }) => login(deps, describeClient(request), args),
  }),
  refreshSession: t.field({
    type: Session,
    skipTypeScopes: true,
    description:
      'Exchanges a refresh token for new tokens, and replaces it. Send it without an access token. A token that was replaced more than a minute ago ends its session, because someone else may have it. Errors: UNAUTHENTICATED, SUSPENDED.',
    args: { refreshToken: t.arg.string({ required: true, description: 'The latest refresh token of the session.' }) },
    resolve: (_root, { refreshToken }, { deps }) => continueSession(deps, refreshToken),
  }),
  logout: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description: 'Ends this session. Its tokens are refused and its streams end immediately.',
    resolve: (_root, _args, { deps, request }) => endSession(deps.db, { ...getSession(request), now: deps.now() }),
  }),
  logoutEverywhere: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description: 'Ends all sessions of the account, including this one.',
    resolve: async (_root, _args, { deps, request }) =>
      (await endSessions(deps.db, { userId: getSession(request).userId, now: deps.now() })) > 0,
  }),
  revokeSession: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description: 'Ends one session of the account. Returns false if there is no such open session.',
    args: { id: t.arg.id({ required: true, description: 'The id of one of `sessions`.' }) },
    resolve: (_root, { id }, { deps, request }) =>
      endSession(deps.db, { userId: getSession(request).userId, sessionId: id, now: deps.now() }),
  }),
}));
