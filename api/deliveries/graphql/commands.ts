/** GraphQL commands for one delivery. */
import type { DestinationKey } from '../../../article/types.ts';
import type { DeliveryTarget } from '../../../store/deliveries/commands.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { type GraphqlContext, requireUser } from '../../graphql/context.ts';
import { Destination } from '../../graphql/destination.ts';
import { findOwnDelivery, runDeliveryCommand, settleOwnDelivery, UNCONFIRMED_COMMANDS } from '../run-command.ts';
import { Delivery, type DeliveryRow } from './deliveries.ts';

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
