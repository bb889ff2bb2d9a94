/** Who is signed in. */
import { findUserById } from '../../../store/users/find-user.ts';
import { builder } from '../builder.ts';

interface UserRow {
  id: string;
  username: string;
  name: string;
  email: string;
  emailConfirmedAt: Date | null;
}

const User = builder.objectRef<UserRow>('User').implement({
  description: 'The signed-in author.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Stays the same whatever else changes.' }),
    username: t.exposeString('username', { description: 'The name in addresses, as in /authors/<username>.' }),
    name: t.exposeString('name', { description: 'The name that readers see.' }),
    email: t.exposeString('email', { description: 'Where mails go; nobody else is shown it.' }),
    emailConfirmed: t.boolean({
      description:
        'Whether the link in our mail to that address was opened; before that nobody comments, follows or makes tokens.',
      resolve: ({ emailConfirmedAt }) => emailConfirmedAt !== null,
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
