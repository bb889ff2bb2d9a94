/** GraphQL types and fields of deliveries and copies: queries, commands and offers. */
import type { DestinationKey } from '../../article/types.ts';
import { listCopiesOfArticles } from '../../store/copies/copies.ts';
import { isUuid } from '../../store/db/valid-keys.ts';
import type { DeliveryTarget } from '../../store/deliveries/commands.ts';
import { listOwnDeliveries } from '../../store/deliveries/list.ts';
import { listOffers, type Offer, sendArticles } from '../../store/deliveries/offers.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder, Destination, exposeFields } from '../graphql/builder.ts';
import { type GraphqlContext, requireUser } from '../graphql/context.ts';
import { type DescribedCopy, describeCopy } from './describe-copy.ts';
import { findOwnDelivery, runDeliveryCommand, settleOwnDelivery, UNCONFIRMED_COMMANDS } from './run-command.ts';

export const RemoteCopy = builder.objectRef<DescribedCopy>('RemoteCopy').implement({
  description: 'A copy that was live or uncertain when the article was unpublished or deleted.',
  fields: (t) => ({
    ...exposeFields(t, {
      url: ['String!', 'The URL of the copy; empty if it is not known.'],
      account: ['String', 'The name of the account that has the copy; null if it was never read.'],
      isWithdrawn: [
        'Boolean!',
        'False if the copy stays live: the platform cannot withdraw it, or its account is not connected.',
      ],
      isUncertain: [
        'Boolean!',
        'True if the outcome of the attempt to create the copy is not known: it may or may not exist.',
      ],
      message: ['String!', 'What happens to the copy, and what to do next.'],
    }),
    destination: t.expose('destination', { type: Destination, description: 'The destination of the copy.' }),
  }),
});

type DeliveryRow = Awaited<ReturnType<typeof listOwnDeliveries>>[number];

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
    ...exposeFields(t, {
      articleId: ['ID!', 'The id of the article.'],
      remoteUrl: ['String', 'The URL of the copy, if there is one.'],
      withdrawnAt: ['DateTime', 'The time at which the copy was withdrawn.'],
      deliveredRevision: ['Int', 'The revision of the article that the destination has.'],
      attempts: ['Int!', 'The number of attempts.'],
      errorCode: [
        'String',
        'A stable code, such as rate_limited or drifted; null if there is no error. The reference of errors lists all.',
      ],
      error: ['String', 'What happened and what to do next.'],
      nextAttemptAt: ['DateTime', 'The time of the next automatic attempt.'],
    }),
    destination: t.expose('destination', { type: Destination, description: 'The destination.' }),
    state: t.expose('state', { type: DeliveryState, description: 'The state of the delivery.' }),
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

const targetArgs = builder.args((t) => ({
  articleId: t.id({ required: true, description: 'One of your articles.' }),
  destination: t.field({ type: Destination, required: true, description: 'The destination of the delivery.' }),
}));

const COMMANDS = {
  retryDelivery: {
    command: 'retry',
    description:
      'Retries the delivery now. Cancels an earlier skip or withdrawal. Errors: NOT_FOUND, NOTHING_TO_RETRY, SUSPENDED.',
  },
  skipDelivery: {
    command: 'skip',
    description: 'Skips the current revision: it is not sent to the destination. Errors: NOT_FOUND, DELIVERED.',
  },
  overwriteDelivery: {
    command: 'overwrite',
    description:
      'Sends the article although the copy was edited at the destination; the edit is lost. Errors: NOT_FOUND, NO_REMOTE_POST, SUSPENDED.',
  },
  withdrawDelivery: {
    command: 'withdraw',
    description:
      'Withdraws the copy, as far as the platform can; it stays withdrawn until retryDelivery. Errors: NOT_FOUND.',
  },
} as const;

for (const [name, { command, description }] of Object.entries(COMMANDS)) {
  builder.mutationField(name, (t) =>
    t.field({
      ...(UNCONFIRMED_COMMANDS.has(command) ? ALLOW_UNCONFIRMED_FIELD : {}),
      type: Delivery,
      description,
      args: targetArgs,
      resolve: (_root, args, context) =>
        runCommand(context, args, (name) => runDeliveryCommand(context.deps, name, command)),
    }),
  );
}

builder.mutationField('settleDelivery', (t) =>
  t.field({
    type: Delivery,
    description:
      'Resolves an attempt of unknown outcome. With url: the copy exists at this address. Without: no copy exists, and the article is sent again.\nErrors: NOT_FOUND, NOTHING_TO_SETTLE, STILL_TRYING, CAN_BE_ASKED, BAD_POST_URL, POST_TAKEN.',
    args: { ...targetArgs, url: t.arg.string({ description: 'The URL at which you found the copy.' }) },
    resolve: (_root, { url, ...args }, context) =>
      runCommand(context, args, (name) => settleOwnDelivery(context.deps, name, { url: url ?? null })),
  }),
);

/** Runs the command and returns the delivery as it is afterwards. */
async function runCommand(
  context: GraphqlContext,
  { articleId, destination }: { articleId: string; destination: DestinationKey },
  command: (name: DeliveryTarget) => Promise<void>,
): Promise<DeliveryRow> {
  const name = { authorId: requireUser(context), articleId, destination };
  await command(name);
  return findOwnDelivery(context.deps.db, name);
}

const OfferType = builder.objectRef<Offer>('Offer').implement({
  description: 'An article that the connected account lacks.',
  fields: (t) => ({
    ...exposeFields(t, {
      articleId: ['ID!', 'The id of the article.'],
      slug: ['String!', 'The slug of the article.'],
      title: ['String!', 'The title of the article.'],
    }),
  }),
});

builder.queryFields((t) => ({
  offers: t.field({
    type: [OfferType],
    complexity: { field: 1, multiplier: 10 },
    description:
      'Your public articles that select this destination and were published while another account, or none, was connected there. They are not sent automatically.',
    args: { destination: t.arg({ type: Destination, required: true, description: 'The destination of the offers.' }) },
    resolve: (_root, { destination }, context) =>
      listOffers(context.deps.db, { authorId: requireUser(context), destination }),
  }),
}));

builder.mutationFields((t) => ({
  sendArticles: t.field({
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
}));
