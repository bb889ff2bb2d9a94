/**
 * GraphQL fields that list and send offers: articles published while another account, or none, was
 * connected.
 */
import { isUuid } from '../../../store/db/valid-keys.ts';
import { listOwnDeliveries } from '../../../store/deliveries/list.ts';
import { listOffers, type Offer, sendArticles } from '../../../store/deliveries/offers.ts';
import { builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { Destination } from '../../graphql/destination.ts';
import { Delivery } from './deliveries.ts';

const OfferType = builder.objectRef<Offer>('Offer').implement({
  description: 'An article that the connected account lacks.',
  fields: (t) => ({
    articleId: t.exposeID('articleId', { description: 'The id of the article.' }),
    slug: t.exposeString('slug', { description: 'The slug of the article.' }),
    title: t.exposeString('title', { description: 'The title of the article.' }),
  }),
});

builder.queryField('offers', (t) =>
  t.field({
    type: [OfferType],
    complexity: { field: 1, multiplier: 10 },
    description:
      'Your public articles that select this destination and were published while another account, or none, was connected there. They are not sent automatically.',
    args: { destination: t.arg({ type: Destination, required: true, description: 'The destination of the offers.' }) },
    resolve: (_root, { destination }, context) =>
      listOffers(context.deps.db, { authorId: requireUser(context), destination }),
  }),
);

builder.mutationField('sendArticles', (t) =>
  t.field({
    type: [Delivery],
    complexity: { field: 1, multiplier: 10 },
    description:
      'Sends offered articles to the account that is connected, and returns their deliveries. Other ids are ignored. Errors: SUSPENDED.',
    args: {
      destination: t.arg({ type: Destination, required: true, description: 'The destination.' }),
      articleIds: t.arg.idList({ required: true, description: 'The ids that `offers` lists.' }),
    },
    async resolve(_root, { destination, articleIds }, context) {
      const { db, onOutboxWrite } = context.deps;
      const authorId = requireUser(context);
      const sent = await sendArticles(db, { authorId, destination }, articleIds.filter(isUuid));
      if (sent.length === 0) return [];
      onOutboxWrite();
      const deliveries = await listOwnDeliveries(db, { authorId, articleIds: sent });
      return deliveries.filter((delivery) => delivery.destination === destination);
    },
  }),
);
