/** GraphQL type and query of an article's deliveries. */

import { listCopiesOfArticles } from '../../../store/copies/copies.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { listOwnDeliveries } from '../../../store/deliveries/list.ts';
import { builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { Destination } from '../../graphql/destination.ts';
import { describeCopy } from '../describe-copy.ts';
import { RemoteCopy } from './copies.ts';
import '../../graphql/date-time.ts';

export type DeliveryRow = Awaited<ReturnType<typeof listOwnDeliveries>>[number];

const DeliveryState = builder.enumType('DeliveryState', {
  description: 'The state of a delivery.',
  values: {
    PENDING: { value: 'pending', description: 'Waiting for its first or next attempt.' },
    DELIVERING: { value: 'delivering', description: 'An attempt is in progress.' },
    DELIVERED: { value: 'delivered', description: 'The destination has the current revision.' },
    STALE: { value: 'stale', description: 'The destination has another revision, or the copy was withdrawn.' },
    FAILED: { value: 'failed', description: 'The destination rejected the article; it is not retried automatically.' },
    UNKNOWN: { value: 'unknown', description: 'The outcome of the last attempt is unknown: see settleDelivery.' },
    HELD: { value: 'held', description: 'Held until its author acts: see error.' },
  } as const,
});

export const Delivery = builder.objectRef<DeliveryRow>('Delivery').implement({
  description: 'The delivery of one article to one destination.',
  fields: (t) => ({
    articleId: t.exposeID('articleId', { description: 'The id of the article.' }),
    destination: t.expose('destination', { type: Destination, description: 'The destination.' }),
    state: t.expose('state', { type: DeliveryState, description: 'The state of the delivery.' }),
    remoteUrl: t.exposeString('remoteUrl', {
      nullable: true,
      description: 'The URL of the copy, if there is one.',
    }),
    withdrawnAt: t.expose('withdrawnAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the copy was withdrawn.',
    }),
    deliveredRevision: t.exposeInt('deliveredRevision', {
      nullable: true,
      description: 'The revision of the article that the destination has.',
    }),
    attempts: t.exposeInt('attempts', { description: 'The number of attempts.' }),
    errorCode: t.exposeString('errorCode', {
      nullable: true,
      description:
        'A stable code: rate_limited, drifted, cannot_update, outcome_unknown and so on; null if there is no error.',
    }),
    error: t.exposeString('error', { nullable: true, description: 'What happened and what to do next.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the next automatic attempt.',
    }),
    formerCopies: t.loadableGroup({
      type: RemoteCopy,
      complexity: { field: 1, multiplier: 2 },
      description:
        'Live and uncertain copies at accounts that were connected before. They are not changed while their account is not connected.',
      load: async (deliveries: string[], context) => {
        const articleIds = [...new Set(deliveries.map((delivery) => delivery.split('/')[0] as string))];
        const scope = { authorId: requireUser(context), articleIds };
        const copies = await listCopiesOfArticles(context.deps.db, scope);
        return copies.filter(({ isFormer }) => isFormer).map(describeCopy);
      },
      group: ({ articleId, destination }) => `${articleId}/${destination}`,
      resolve: ({ articleId, destination }) => `${articleId}/${destination}`,
      loaderOptions: { cache: false },
    }),
  }),
});

builder.queryField('deliveries', (t) =>
  t.field({
    type: [Delivery],
    complexity: { field: 1, multiplier: 5 },
    description: 'The deliveries of one of your articles.',
    args: {
      articleId: t.arg.id({
        required: true,
        description: 'The id of the article; the list is empty for articles of others.',
      }),
    },
    resolve: (_root, { articleId }, context) => {
      const scope = { authorId: requireUser(context), articleIds: [articleId] };
      return isUuid(articleId) ? listOwnDeliveries(context.deps.db, scope) : [];
    },
  }),
);
