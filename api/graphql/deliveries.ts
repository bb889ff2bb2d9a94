/** What became of an article at each destination, and the author's commands for one delivery, which wake its actor. */
import type { DestinationKey } from '../../article/types.ts';
import { PLATFORMS_BY_KEY } from '../../destinations/platforms.ts';
import { findDestination } from '../../destinations/registry.ts';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { listConnections } from '../../store/connections/list.ts';
import type { Database } from '../../store/db/database.ts';
import { isUuid } from '../../store/db/valid-keys.ts';
import {
  type DeliveryTarget,
  type Finding,
  overwriteDelivery,
  retryDelivery,
  settleDelivery,
  skipDelivery,
  withdrawDelivery,
} from '../../store/deliveries/commands.ts';
import { listCopies } from '../../store/deliveries/copies.ts';
import { listOwnDeliveries } from '../../store/deliveries/list.ts';
import { COPY_TYPE, describeCopy } from './copies.ts';
import { type GraphqlModule, requireUser } from './module.ts';

const typeDefs = `
  enum DeliveryState { pending delivering delivered stale failed unknown held }

  type Delivery {
    articleId: ID!
    destination: Destination!
    state: DeliveryState!
    "Where the copy is, as far as there is one."
    remoteUrl: String
    "When the copy was withdrawn."
    withdrawnAt: DateTime
    "The article's revision that the destination carries."
    deliveredRevision: Int
    attempts: Int!
    "A stable code: rate_limited, drifted, cannot_update, outcome_unknown and so on; null where nothing is wrong."
    errorCode: String
    "What happened and what to do next."
    error: String
    "When it is tried again automatically."
    nextAttemptAt: DateTime
    "Copies at accounts that were connected before: what is live there, and what may be there. Nothing here changes them while their account is not connected."
    formerCopies: [RemoteCopy!]!
  }
${COPY_TYPE}
  extend type Query {
    "The deliveries of one of your articles."
    deliveries(articleId: ID!): [Delivery!]!
  }

  extend type Mutation {
    "Tries again now. Cancels an earlier skip or withdrawal. Errors: NOT_FOUND, NOTHING_TO_RETRY."
    retryDelivery(articleId: ID!, destination: Destination!): Delivery!
    "Does not send the present revision there. Errors: NOT_FOUND, DELIVERED."
    skipDelivery(articleId: ID!, destination: Destination!): Delivery!
    "Sends the article although the copy was changed by hand there; the change is lost. Errors: NOT_FOUND, NO_REMOTE_POST."
    overwriteDelivery(articleId: ID!, destination: Destination!): Delivery!
    "Withdraws the copy, as far as the platform can; it stays withdrawn until retryDelivery. Errors: NOT_FOUND."
    withdrawDelivery(articleId: ID!, destination: Destination!): Delivery!
    """
    Says how an attempt of unknown outcome ended. With url: the post is there, at this address. Without: it is not there, send it again.
    Errors: NOT_FOUND, NOTHING_TO_SETTLE, STILL_TRYING, CAN_BE_ASKED, BAD_POST_URL, POST_TAKEN.
    """
    settleDelivery(articleId: ID!, destination: Destination!, url: String): Delivery!
  }
`;

interface Target {
  articleId: string;
  destination: DestinationKey;
}

export interface DeliveriesDeps {
  db: Database;
  now: () => Date;
  onDecided: () => void;
}

export function createDeliveriesModule(deps: DeliveriesDeps): GraphqlModule {
  const resolveCommand =
    <Args extends Target>(command: (target: DeliveryTarget, args: Args) => Promise<void>) =>
    async (_root: unknown, args: Args, context: Parameters<typeof requireUser>[0]) => {
      const authorId = requireUser(context);
      const { articleId, destination } = args;
      if (!isUuid(articleId)) throw createNotFoundError();
      await command({ authorId, articleId, destination, now: deps.now() }, args);
      deps.onDecided();
      const deliveries = await listOwnDeliveries(deps.db, { authorId, articleId });
      return deliveries.find((delivery) => delivery.destination === destination);
    };
  return {
    typeDefs,
    resolvers: {
      Delivery: {
        formerCopies: async ({ articleId, destination }: Target, _args, context) => {
          const copies = await listCopies(deps.db, { authorId: requireUser(context), articleId });
          return copies.filter((copy) => copy.isFormer && copy.destination === destination).map(describeCopy);
        },
      },
      Query: {
        deliveries: (_root, { articleId }: { articleId: string }, context) => {
          const authorId = requireUser(context);
          return isUuid(articleId) ? listOwnDeliveries(deps.db, { authorId, articleId }) : [];
        },
      },
      Mutation: {
        retryDelivery: resolveCommand((target) => retryDelivery(deps.db, target)),
        skipDelivery: resolveCommand((target) => skipDelivery(deps.db, target)),
        overwriteDelivery: resolveCommand((target) => overwriteDelivery(deps.db, target)),
        withdrawDelivery: resolveCommand((target) => withdrawDelivery(deps.db, target)),
        settleDelivery: resolveCommand(async (target, { url }: Target & { url?: string | null }) =>
          settleDelivery(deps.db, target, await readFinding(deps.db, target, url ?? null)),
        ),
      },
    },
  };
}

/** What the author found; the platform's adapter reads the address. */
async function readFinding(
  db: Database,
  { authorId, articleId, destination }: DeliveryTarget,
  url: string | null,
): Promise<{ finding: Finding; canUpdate: boolean }> {
  const own = await listOwnDeliveries(db, { authorId, articleId });
  if (!own.some((delivery) => delivery.destination === destination)) throw createNotFoundError();
  const connections = await listConnections(db, authorId);
  const connected = connections.find((connection) => connection.destination === destination);
  const adapter = findDestination(connected?.platform ?? PLATFORMS_BY_KEY[destination][0] ?? '');
  const label = adapter?.label ?? destination;
  if (adapter?.limits.canFind) {
    throw new RefusedCommandError(
      'CAN_BE_ASKED',
      `${label} can be asked: retryDelivery looks for the post and adopts it.`,
    );
  }
  const canUpdate = adapter?.limits.canUpdate ?? false;
  if (url === null) return { finding: null, canUpdate };
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && url.length <= 2_000;
  const remoteId = isWeb ? adapter?.readPostUrl(url, connected?.baseUrl ?? adapter.defaultBaseUrl ?? '') : null;
  if (!remoteId) {
    throw new RefusedCommandError('BAD_POST_URL', `This is not the address of a post at ${label}.`, 'url');
  }
  return { finding: { remoteId, url: new URL(url).href }, canUpdate };
}

function createNotFoundError(): RefusedCommandError {
  return new RefusedCommandError('NOT_FOUND', 'There is no such delivery among your articles.');
}
