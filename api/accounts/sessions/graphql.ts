/** GraphQL fields that open, refresh, list and end sessions. */
import { endSession, endSessions } from '../../../store/sessions/end-sessions.ts';
import { listSessions } from '../../../store/sessions/session-status.ts';
import { getSession } from '../../auth/session-hook.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { login } from '../sign-in/login.ts';
import { continueSession, describeClient } from '../sign-in/open-session.ts';
import { Session } from './session.ts';

interface OpenSessionRow {
  id: string;
  userAgent: string | null;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

const OpenSession = builder.objectRef<OpenSessionRow>('OpenSession').implement({
  description: 'A device on which somebody is signed in to the account.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'For `revokeSession`.' }),
    userAgent: t.exposeString('userAgent', {
      nullable: true,
      description: 'What the program said of itself at the sign-in.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was opened.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      description: 'When it was refreshed last, so true to the hour.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends unless it is refreshed before.' }),
    current: t.boolean({
      description: 'Whether it is the one that asks.',
      resolve: ({ id }, _args, { request }) => request.session?.sessionId === id,
    }),
  }),
});

builder.queryField('sessions', (t) =>
  t.field({
    type: [OpenSession],
    description: 'The open sessions of the account, last used first; at most a hundred.',
    resolve: (_root, _args, { deps, request }) => listSessions(deps.db, getSession(request).userId, deps.now()),
  }),
);

builder.mutationFields((t) => ({
  login: t.field({
    type: Session,
    skipTypeScopes: true,
    description:
      'Opens a session. Of more than a hundred the one that was used least lately ends. Errors: UNAUTHENTICATED, RATE_LIMITED, SUSPENDED.',
    args: {
      email: t.arg.string({ required: true, description: 'In any case.' }),
      password: t.arg.string({ required: true, description: 'As it was chosen.' }),
    },
    resolve: (_root, args, { deps, request }) => login(deps, describeClient(request), args),
  }),
  refreshSession: t.field({
    type: Session,
    skipTypeScopes: true,
    description:
      'Goes on with a session: new tokens for a refresh token, which is replaced by it. Send it without an access token. A token that was replaced more than a minute ago ends its session, since somebody else may have it. Errors: UNAUTHENTICATED, SUSPENDED.',
    args: { refreshToken: t.arg.string({ required: true, description: 'The last one that this session was given.' }) },
    resolve: (_root, { refreshToken }, { deps }) => continueSession(deps, refreshToken),
  }),
  logout: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description: 'Ends this session: its tokens are refused and its streams end, at once.',
    resolve: (_root, _args, { deps, request }) => endSession(deps.db, { ...getSession(request), now: deps.now() }),
  }),
  logoutEverywhere: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description: 'Ends all sessions of the account, this one too.',
    resolve: async (_root, _args, { deps, request }) =>
      (await endSessions(deps.db, { userId: getSession(request).userId, now: deps.now() })) > 0,
  }),
  revokeSession: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description: 'Ends one session of the account. False where there is no such open session.',
    args: { id: t.arg.id({ required: true, description: 'One of `sessions`.' }) },
    resolve: (_root, { id }, { deps, request }) =>
      endSession(deps.db, { userId: getSession(request).userId, sessionId: id, now: deps.now() }),
  }),
}));
