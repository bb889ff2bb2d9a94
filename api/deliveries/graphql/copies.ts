/** GraphQL type of a copy, listed when its article is withdrawn. */

import { builder } from '../../graphql/builder.ts';
import { Destination } from '../../graphql/destination.ts';
import type { DescribedCopy } from '../describe-copy.ts';

export const RemoteCopy = builder.objectRef<DescribedCopy>('RemoteCopy').implement({
  description: 'A remote copy that was live, or may have been there, when the article was taken back.',
  fields: (t) => ({
    destination: t.expose('destination', { type: Destination, description: 'Where it stands.' }),
    url: t.exposeString('url', { description: 'Empty where it is not known.' }),
    account: t.exposeString('account', {
      nullable: true,
      description: 'What the account is called at which it stands; null where it was never asked.',
    }),
    isWithdrawn: t.exposeBoolean('isWithdrawn', {
      description: 'False where it stays live: the platform cannot take it back, or its account is not connected.',
    }),
    isUncertain: t.exposeBoolean('isUncertain', {
      description: 'True where the outcome of the attempt to make it is not known: it may be there, or not.',
    }),
    message: t.exposeString('message', { description: 'What happens to it, and what remains to be done.' }),
  }),
});
