/** Runs an author's commands for one delivery, for GraphQL and the desk. */
import { findDestination } from '../../destinations/clients.ts';
import { PLATFORMS_BY_KEY } from '../../destinations/platforms.ts';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { listConnections } from '../../store/connections/list.ts';
import type { Database } from '../../store/db/database.ts';
import { isUuid } from '../../store/db/valid-keys.ts';
import {
  type CopyFinding,
  type DeliveryTarget,
  overwriteDelivery,
  retryDelivery,
  settleDelivery,
  skipDelivery,
  withdrawDelivery,
} from '../../store/deliveries/commands.ts';
import { listOwnDeliveries } from '../../store/deliveries/list.ts';

export interface CommandDeps {
  db: Database;
  /** Called after a command has written to the outbox. */
  onOutboxWrite: () => void;
  now: () => Date;
}

const COMMANDS = { retry: retryDelivery, skip: skipDelivery, overwrite: overwriteDelivery, withdraw: withdrawDelivery };
export type DeliveryCommand = keyof typeof COMMANDS;

/** Commands for accounts without a confirmed address: they send nothing to readers. */
export const UNCONFIRMED_COMMANDS: ReadonlySet<DeliveryCommand> = new Set(['skip', 'withdraw']);

export function runDeliveryCommand(deps: CommandDeps, name: DeliveryTarget, command: DeliveryCommand): Promise<void> {
  return runCommand(deps, name, (target) => COMMANDS[command](deps.db, target));
}

/**
 * Settles an attempt of unknown outcome. `url`: the post that the author found; null if there is
 * none. `seenAttempts`: the number of attempts that the author's page showed.
 */
export function settleOwnDelivery(
  deps: CommandDeps,
  name: DeliveryTarget,
  { url, seenAttempts }: { url: string | null; seenAttempts?: number },
): Promise<void> {
  return runCommand(deps, name, async (target) =>
    settleDelivery(deps.db, target, { ...(await readFinding(deps.db, target, url)), seenAttempts }),
  );
}

/** Throws NOT_FOUND for a delivery of another author. */
export async function findOwnDelivery(db: Database, { authorId, articleId, destination }: DeliveryTarget) {
  const deliveries = await listOwnDeliveries(db, { authorId, articleIds: [articleId] });
  const delivery = deliveries.find((candidate) => candidate.destination === destination);
  if (!delivery) throw createNotFoundError();
  return delivery;
}

async function runCommand(
  { onOutboxWrite }: CommandDeps,
  name: DeliveryTarget,
  command: (target: DeliveryTarget) => Promise<void>,
): Promise<void> {
  if (!isUuid(name.articleId)) throw createNotFoundError();
  await command(name);
  onOutboxWrite();
}

/** Validates the address of the post that the author found, with the platform's adapter. */
async function readFinding(
  db: Database,
  target: DeliveryTarget,
  url: string | null,
): Promise<{ finding: CopyFinding; canUpdate: boolean }> {
  const { authorId, destination } = target;
  await findOwnDelivery(db, target);
  const connections = await listConnections(db, authorId);
  const connection = connections.find((candidate) => candidate.destination === destination);
  const adapter = findDestination(connection?.platform ?? PLATFORMS_BY_KEY[destination][0] ?? '');
  const label = adapter?.label ?? destination;
  if (adapter?.limits.canFind) {
    throw new RefusedCommandError(
      'CAN_BE_ASKED',
      `${label} can be searched: retryDelivery looks up the post and adopts it.`,
    );
  }
  const canUpdate = adapter?.limits.canUpdate ?? false;
  if (url === null) return { finding: null, canUpdate };
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && url.length <= 2_000;
  const remoteId = isWeb
    ? adapter?.readPostUrl?.(url, connection?.baseUrl ?? adapter.connection.defaultBaseUrl ?? '')
    : null;
  if (!remoteId) {
    throw new RefusedCommandError('BAD_POST_URL', `This is not the address of a post at ${label}.`, 'url');
  }
  return { finding: { remoteId, url: new URL(url).href }, canUpdate };
}

function createNotFoundError(): RefusedCommandError {
  return new RefusedCommandError('NOT_FOUND', 'You have no delivery of this article to this destination.');
}
