/** GraphQL mutation that subscribes to a newsletter, with or without an account. */
import { describeClient } from '../../auth/open-session.ts';
import { builder, returnTrueAfter } from '../../graphql/builder.ts';
import { subscribe } from './newsletter.ts';

builder.mutationField('subscribe', (t) =>
  t.boolean({
    skipTypeScopes: true,
    description:
      'Mails a link that confirms the subscription to the address. The response is the same for an existing subscriber. Errors: BAD_INPUT, NOT_FOUND, RATE_LIMITED.',
    args: {
      username: t.arg.string({
        required: true,
        description: 'The user name of the author, as in /authors/<username>.',
      }),
      email: t.arg.string({ required: true, description: 'The e-mail address of the subscriber.' }),
    },
    resolve: returnTrueAfter((args, { deps, request }) => subscribe(deps, describeClient(request), args)),
  }),
);
