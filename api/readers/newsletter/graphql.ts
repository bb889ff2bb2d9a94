/** GraphQL mutation that subscribes to a newsletter, with or without an account. */
import { describeClient } from '../../accounts/sign-in/open-session.ts';
import { builder } from '../../graphql/builder.ts';
import { subscribe } from './newsletter.ts';

builder.mutationField('subscribe', (t) =>
  t.boolean({
    skipTypeScopes: true,
    description:
      'Sends a mail to the address, whose owner confirms the subscription with it. The answer is the same for an address that has subscribed before. Errors: BAD_INPUT, NOT_FOUND, RATE_LIMITED.',
    args: {
      username: t.arg.string({ required: true, description: 'Of the author, as in /authors/<username>.' }),
      email: t.arg.string({ required: true, description: 'Where the newsletter is to go.' }),
    },
    resolve: async (_root, args, { deps, request }) => {
      await subscribe(deps, describeClient(request), args);
      return true;
    },
  }),
);
