/** GraphQL type of a copy, listed when its article is withdrawn. */

import { builder } from '../../graphql/builder.ts';
import { Destination } from '../../graphql/destination.ts';
import type { DescribedCopy } from '../describe-copy.ts';

export const RemoteCopy = builder.objectRef<DescribedCopy>('RemoteCopy').implement({
  description: 'A copy that was live or uncertain when the article was unpublished or deleted.',
  fields: (t) => ({
    destination: t.expose('destination', { type: Destination, description: 'The destination of the copy.' }),
    url: t.exposeString('url', { description: 'The URL of the copy; empty if it is not known.' }),
    account: t.exposeString('account', {
      nullable: true,
      description: 'The name of the account that has the copy; null if it was never read.',
    }),
    isWithdrawn: t.exposeBoolean('isWithdrawn', {
      description: 'False if the copy stays live: the platform cannot withdraw it, or its account is not connected.',
    }),
    isUncertain: t.exposeBoolean('isUncertain', {
      description: 'True if the outcome of the attempt to create the copy is not known: it may or may not exist.',
    }),
    message: t.exposeString('message', { description: 'What happens to the copy, and what to do next.' }),
  }),
});
