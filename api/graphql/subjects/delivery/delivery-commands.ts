/** The author's commands for one delivery, which wake its actor. */
import type { DestinationKey } from '../../../../article/types.ts';
import { PLATFORMS_BY_KEY } from '../../../../destinations/platforms.ts';
import { findDestination } from '../../../../destinations/registry.ts';
import { RefusedCommandError } from '../../../../store/commands/refused-command.ts';
import { listConnections } from '../../../../store/connections/list.ts';
import type { Database } from '../../../../store/db/database.ts';
import { isUuid } from '../../../../store/db/valid-keys.ts';
import {
  type DeliveryTarget,
  type Finding,
  overwriteDelivery,
  retryDelivery,
  settleDelivery,
  skipDelivery,
  withdrawDelivery,
} from '../../../../store/deliveries/commands.ts';
import { listOwnDeliveries } from '../../../../store/deliveries/list.ts';
import { builder } from '../../builder.ts';
import { type GraphqlContext, requireUser } from '../../context.ts';
import { Delivery, type DeliveryRow } from './deliveries.ts';
import { Destination } from './destination.ts';

/** Which delivery a command is for. */
const targetArgs = builder.args((t) => ({
  articleId: t.id({ required: true, description: 'One of your articles.' }),
  destination: t.field({ type: Destination, required: true, description: 'Which of its deliveries.' }),
}));

const COMMANDS = {
  retryDelivery: {
    command: retryDelivery,
    description:
      'Tries again now. Cancels an earlier skip or withdrawal. Errors: NOT_FOUND, NOTHING_TO_RETRY, SUSPENDED.',
  },
  skipDelivery: {
    command: skipDelivery,
    description: 'Does not send the present revision there. Errors: NOT_FOUND, DELIVERED.',
  },
  overwriteDelivery: {
    command: overwriteDelivery,
    description:
      'Sends the article although the copy was changed by hand there; the change is lost. Errors: NOT_FOUND, NO_REMOTE_POST, SUSPENDED.',
  },
  withdrawDelivery: {
    command: withdrawDelivery,
    description:
      'Withdraws the copy, as far as the platform can; it stays withdrawn until retryDelivery. Errors: NOT_FOUND.',
  },
};

for (const [name, { command, description }] of Object.entries(COMMANDS)) {
  builder.mutationField(name, (t) =>
    t.field({
      type: Delivery,
      description,
      args: targetArgs,
      resolve: (_root, args, context) => give(context, args, (target) => command(context.deps.db, target)),
    }),
  );
}

builder.mutationField('settleDelivery', (t) =>
  t.field({
    type: Delivery,
    description:
      'Says how an attempt of unknown outcome ended. With url: the post is there, at this address. Without: it is not there, send it again.\nErrors: NOT_FOUND, NOTHING_TO_SETTLE, STILL_TRYING, CAN_BE_ASKED, BAD_POST_URL, POST_TAKEN.',
    args: { ...targetArgs, url: t.arg.string({ description: 'Where you found the post.' }) },
    resolve: (_root, { url, ...args }, context) =>
      give(context, args, async (target) => {
        const { db } = context.deps;
        await settleDelivery(db, target, await readFinding(db, target, url ?? null));
      }),
  }),
);

/** Gives the command, and answers with the delivery as it is then. */
async function give(
  context: GraphqlContext,
  { articleId, destination }: { articleId: string; destination: DestinationKey },
  command: (target: DeliveryTarget) => Promise<void>,
): Promise<DeliveryRow> {
  const { db, now, onDecided } = context.deps;
  const authorId = requireUser(context);
  if (!isUuid(articleId)) throw createNotFoundError();
  await command({ authorId, articleId, destination, now: now() });
  onDecided();
  return findOwnDelivery(db, { authorId, articleId, destination });
}

async function findOwnDelivery(
  db: Database,
  { authorId, articleId, destination }: Omit<DeliveryTarget, 'now'>,
): Promise<DeliveryRow> {
  const own = await listOwnDeliveries(db, { authorId, articleIds: [articleId] });
  const delivery = own.find((one) => one.destination === destination);
  if (!delivery) throw createNotFoundError();
  return delivery;
}

/** What the author found; the platform's adapter reads the address. */
async function readFinding(
  db: Database,
  target: DeliveryTarget,
  url: string | null,
): Promise<{ finding: Finding; canUpdate: boolean }> {
  const { authorId, destination } = target;
  await findOwnDelivery(db, target);
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
