/** Who is signed in, and signing in. */
import { findUserById } from '../../../store/users/find-user.ts';
import { login } from '../../auth/login.ts';
import { builder } from '../builder.ts';

interface UserRow {
  id: string;
  username: string;
  name: string;
  email: string;
}

const User = builder.objectRef<UserRow>('User').implement({
  description: 'The signed-in author.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Stays the same whatever else changes.' }),
    username: t.exposeString('username', { description: 'The name in addresses, as in /authors/<username>.' }),
    name: t.exposeString('name', { description: 'The name that readers see.' }),
    email: t.exposeString('email', { description: 'Where mails go; nobody else is shown it.' }),
  }),
});

const Session = builder.objectRef<{ accessToken: string }>('Session').implement({
  description: 'What signing in gives.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', {
      description: 'A JWT for this endpoint and for /notifications/sse-token; valid for one hour.',
    }),
  }),
});

builder.queryField('me', (t) =>
  t.field({
    type: User,
    nullable: true,
    skipTypeScopes: true,
    description: 'Null where nobody is signed in.',
    resolve: (_root, _args, { deps, request }) =>
      request.sessionUserId === null ? null : findUserById(deps.db, request.sessionUserId),
  }),
);

builder.mutationField('login', (t) =>
  t.field({
    type: Session,
    skipTypeScopes: true,
    description: 'Opens a session. Errors: UNAUTHENTICATED, RATE_LIMITED, SUSPENDED.',
    args: {
      email: t.arg.string({ required: true, description: 'In any case.' }),
      password: t.arg.string({ required: true, description: 'As it was chosen.' }),
    },
    resolve: (_root, args, { deps, request }) => login(deps, request, args),
  }),
);
