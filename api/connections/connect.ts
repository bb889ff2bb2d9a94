/**
 * Connects a destination: validates the request, guards the address and probes the credential.
 * Stores the connection only if all of them succeed. Throws `RefusedCommandError`.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DestinationKey } from '../../article/types.ts';
import { describeConnectedAccount } from '../../destinations/connected-account.ts';
import type { Destination, Outcome, ProbedAccount } from '../../destinations/types.ts';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { issueCommandNumber } from '../../store/connections/command-order.ts';
import { type ConnectCommand, connectUnlessOutdated } from '../../store/connections/connect.ts';
import { findOpenConnection, type OpenedConnection, openConnection } from '../../store/connections/credentials.ts';
import { findConnection } from '../../store/connections/list.ts';
import { countHit } from '../../store/rate-limits/counters.ts';
import { SealError } from '../../store/secrets/sealing.ts';
import type { ConnectDeps } from '../deps.ts';
import { checkBaseUrl, checkCredentials, findAdapter } from './check-request.ts';

export interface ConnectRequest {
  userId: string;
  destination: DestinationKey;
  /** Required where the key has several platforms. */
  platform?: string | null | undefined;
  /** Required where the platform has no default address (WordPress, Ghost). */
  baseUrl?: string | null | undefined;
  credentials: Record<string, string>;
}

/** Each attempt calls a server that the author chose: enough for a person, too few for a scan. */
const MAX_ATTEMPTS_PER_MINUTE = 10;
const PROBE_TIMEOUT_MS = 10_000;
/** Limit of all calls of one probe: finding a site's API may take several, and a person waits. */
const PROBE_TOTAL_TIMEOUT_MS = 25_000;

export async function connect(deps: ConnectDeps, request: ConnectRequest): Promise<{ id: string }> {
  const number = await issueCommandNumber(deps.db);
  await countAttempt(deps, request.userId);
  const adapter = findAdapter(request);
  const credentials = checkCredentials(adapter, request.credentials);
  const baseUrl = checkBaseUrl(deps.config, adapter, request.baseUrl);
  const probed = await probe(deps, adapter, baseUrl, credentials);
  return storeConnection(deps, request, { adapter, baseUrl, credentials, probed }, { number, replaced: null });
}

/**
 * Probes the current connection again, with new credentials if the request contains any. A platform
 * may have refused a valid key temporarily. Deliveries held for the connection are sent.
 */
export async function reconnect(
  deps: ConnectDeps,
  request: { userId: string; destination: DestinationKey; credentials: Record<string, string> | null },
): Promise<{ id: string }> {
  const number = await issueCommandNumber(deps.db);
  await countAttempt(deps, request.userId);
  const present = await findConnection(deps.db, request.userId, request.destination);
  if (!present) throw createNotConnectedError();
  const adapter = findAdapter({ ...request, platform: present.platform });
  const credentials = checkCredentials(
    adapter,
    request.credentials ?? (await openCredentials(deps, adapter, present.id)),
  );
  const baseUrl = checkBaseUrl(deps.config, adapter, present.baseUrl);
  const probed = await probe(deps, adapter, baseUrl, credentials);
  return storeConnection(deps, request, { adapter, baseUrl, credentials, probed }, { number, replaced: present });
}

async function countAttempt({ db }: ConnectDeps, userId: string): Promise<void> {
  const { current, ttl } = await countHit(db, `connect:${userId}`, 60_000);
  if (current <= MAX_ATTEMPTS_PER_MINUTE) return;
  throw new RefusedCommandError('RATE_LIMITED', `Too many attempts; try again in ${Math.ceil(ttl / 1000)} seconds.`);
}

/**
 * Returns the stored credentials without the ids that an earlier probe found; the next probe finds
 * its own.
 */
async function openCredentials(
  { db, sealer }: ConnectDeps,
  { connection, label }: Destination,
  id: string,
): Promise<Record<string, string>> {
  try {
    const present = await openConnection(db, sealer, id);
    if (!present) throw createNotConnectedError();
    const names = connection.fields.map(({ name }) => name);
    return Object.fromEntries(Object.entries(present.credentials).filter(([name]) => names.includes(name)));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const message = `The stored credential of ${label} cannot be read. Enter it again.`;
    throw new RefusedCommandError('BAD_CREDENTIALS', message, 'credentials');
  }
}

function createNotConnectedError(): RefusedCommandError {
  return new RefusedCommandError('NOT_CONNECTED', 'This destination is not connected; connect it first.');
}

async function probe(
  { config, now }: ConnectDeps,
  adapter: Destination,
  baseUrl: string,
  credentials: Record<string, string>,
): Promise<ProbedAccount> {
  const signal = AbortSignal.timeout(PROBE_TOTAL_TIMEOUT_MS);
  const options = { timeoutMs: PROBE_TIMEOUT_MS, signal, now, allowPrivate: config.allowPrivate };
  const outcome = await adapter.createClient({ connection: { baseUrl, credentials }, ...options }).probe();
  if (outcome.kind === 'done') return outcome.value;
  throw new RefusedCommandError(chooseCode(outcome), outcome.reason);
}

/**
 * Destination clients use lower-case codes, as stored with a delivery; GraphQL codes are upper
 * case.
 */
function chooseCode(outcome: Exclude<Outcome<never>, { kind: 'done' }>): string {
  if (outcome.kind === 'rejected') return outcome.code.toUpperCase();
  if (outcome.kind === 'unauthorised') return 'CREDENTIALS_REFUSED';
  return outcome.kind === 'rateLimited' ? 'DESTINATION_RATE_LIMITED' : 'DESTINATION_UNAVAILABLE';
}

/**
 * Stores the connection unless the author connected another account or disconnected during the
 * probe. A reconnection replaces only the connection that it probed.
 */
async function storeConnection(
  { db, sealer }: ConnectDeps,
  { userId, destination }: Pick<ConnectRequest, 'userId' | 'destination'>,
  found: { adapter: Destination; baseUrl: string; credentials: Record<string, string>; probed: ProbedAccount },
  command: ConnectCommand,
): Promise<{ id: string }> {
  const connection = { userId, destination, ...describeConnectedAccount(found.adapter, found, found.probed) };
  const stored = await connectUnlessOutdated(db, sealer, command, connection);
  if (stored) return stored;
  const present = await findOpenConnection(db, sealer, userId, destination);
  if (command.replaced && !present) throw createNotConnectedError();
  // A concurrent command may have stored the same connection. The status is read because a delivery
  // may have been refused since.
  const status = (await findConnection(db, userId, destination))?.status;
  if (present && status === 'active' && hasSameAccount(present, connection)) return { id: present.id };
  const message =
    'The destination was reconnected or disconnected while this account was tested. That change stays in effect.';
  throw new RefusedCommandError('CONNECTION_CHANGED', message);
}

type StoredConnection = Pick<OpenedConnection, 'platform' | 'baseUrl' | 'credentials'>;

function hasSameAccount(existing: StoredConnection, requested: StoredConnection): boolean {
  const { platform, baseUrl, credentials } = existing;
  return (
    platform === requested.platform &&
    baseUrl === requested.baseUrl &&
    isDeepStrictEqual(credentials, requested.credentials)
  );
}
