/** Signing in. */
import { login } from '../../auth/login.ts';
import { builder } from '../builder.ts';

const Session = builder.objectRef<{ accessToken: string }>('Session').implement({
  description: 'What signing in gives.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', {
      description: 'A JWT for this endpoint and for /notifications/sse-token; valid for one hour.',
    }),
  }),
});

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
