/** GraphQL type and query of an article's deliveries. */
import { isUuid } from '../../../store/db/valid-keys.ts';
import { listCopiesOfArticles } from '../../../store/copies/copies.ts';
import { listOwnDeliveries } from '../../../store/deliveries/list.ts';
import { builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { Destination } from '../../graphql/destination.ts';
import { describeCopy } from '../describe-copy.ts';
import { RemoteCopy } from './copies.ts';
import '../../graphql/date-time.ts';

export type DeliveryRow = Awaited<ReturnType<typeof listOwnDeliveries>>[number];

const DeliveryState = builder.enumType('DeliveryState', {
  description: 'How far a delivery is.',
  values: {
    PENDING: { value: 'pending', description: 'Waits for its first or next attempt.' },
    DELIVERING: { value: 'delivering', description: 'An attempt is under way.' },
    DELIVERED: { value: 'delivered', description: 'The destination has the present revision.' },
    STALE: { value: 'stale', description: 'The destination has another revision, or the copy was withdrawn.' },
    FAILED: { value: 'failed', description: 'The destination refused it; nothing more is tried by itself.' },
    UNKNOWN: { value: 'unknown', description: 'Nobody can tell how the last attempt ended: see settleDelivery.' },
    HELD: { value: 'held', description: 'Waits for its author: see error.' },
  } as const,
});

export const Delivery = builder.objectRef<DeliveryRow>('Delivery').implement({
  description: 'One article at one destination.',
  fields: (t) => ({
    articleId: t.exposeID('articleId', { description: 'Whose delivery it is.' }),
    destination: t.expose('destination', { type: Destination, description: 'Where it goes.' }),
    state: t.expose('state', { type: DeliveryState, description: 'How far it is.' }),
    remoteUrl: t.exposeString('remoteUrl', {
      nullable: true,
      description: 'Where the copy is, as far as there is one.',
    }),
    withdrawnAt: t.expose('withdrawnAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the copy was withdrawn.',
    }),
    deliveredRevision: t.exposeInt('deliveredRevision', {
      nullable: true,
      description: "The article's revision that the destination carries.",
    }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    errorCode: t.exposeString('errorCode', {
      nullable: true,
      description:
        'A stable code: rate_limited, drifted, cannot_update, outcome_unknown and so on; null where nothing is wrong.',
    }),
    error: t.exposeString('error', { nullable: true, description: 'What happened and what to do next.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is tried again automatically.',
    }),
    formerCopies: t.loadableGroup({
      type: RemoteCopy,
      complexity: { field: 1, multiplier: 2 },
      description:
        'Copies at accounts that were connected before: what is live there, and what may be there. Nothing here changes them while their account is not connected.',
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
    args: { articleId: t.arg.id({ required: true, description: 'Of anybody else’s article there are none.' }) },
    resolve: (_root, { articleId }, context) => {
      const scope = { authorId: requireUser(context), articleIds: [articleId] };
      return isUuid(articleId) ? listOwnDeliveries(context.deps.db, scope) : [];
    },
  }),
);
