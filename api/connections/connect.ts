/**
 * Connects a destination: validates the request, guards the address and probes the credential.
 * Stores the connection only if all of them succeed. Throws `RefusedCommandError`.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DestinationKey } from '../../article/types.ts';
import { describeConnectedAccount, findDestinationForKey } from '../../destinations/clients.ts';
import { checkAddress, RefusedAddressError } from '../../destinations/http/address-guard.ts';
import { PLATFORMS_BY_KEY } from '../../destinations/platforms.ts';
import type { Destination, Outcome, ProbedAccount, RejectionCode } from '../../destinations/types.ts';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { issueCommandNumber } from '../../store/connections/command-order.ts';
import { type ConnectCommand, connectUnlessOutdated } from '../../store/connections/connect.ts';
import { findOpenConnection, openConnection } from '../../store/connections/credentials.ts';
import { findConnection } from '../../store/connections/list.ts';
import { countHit } from '../../store/rate-limits/counters.ts';
import { SealError } from '../../store/secrets/sealing.ts';
import type { ApiConfig } from '../config.ts';
import type { ConnectDeps } from '../deps.ts';

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
  const number = await beginAttempt(deps, request.userId);
  return probeAndStore(deps, request, { number, replaced: null });
}

/**
 * Probes the current connection again, with new credentials if the request contains any. A platform
 * may have refused a valid key temporarily. Deliveries held for the connection are sent.
 */
export async function reconnect(
  deps: ConnectDeps,
  request: Pick<ConnectRequest, 'userId' | 'destination'> & { credentials: Record<string, string> | null },
): Promise<{ id: string }> {
  const number = await beginAttempt(deps, request.userId);
  const replaced = await findConnection(deps.db, request.userId, request.destination);
  if (!replaced) throw createNotConnectedError();
  const { platform, baseUrl } = replaced;
  const adapter = findAdapter({ ...request, platform });
  const credentials = request.credentials ?? (await openCredentials(deps, adapter, replaced.id));
  return probeAndStore(deps, { ...request, platform, baseUrl, credentials }, { number, replaced });
}

async function beginAttempt(deps: ConnectDeps, userId: string): Promise<ConnectCommand['number']> {
  const number = await issueCommandNumber(deps.db);
  await countAttempt(deps, userId);
  return number;
}

async function probeAndStore(deps: ConnectDeps, request: ConnectRequest, command: ConnectCommand) {
  const adapter = findAdapter(request);
  const credentials = checkCredentials(adapter, request.credentials);
  const baseUrl = checkBaseUrl(deps.config, adapter, request.baseUrl);
  const probed = await probe(deps, adapter, baseUrl, credentials);
  const found = describeConnectedAccount(adapter, { baseUrl, credentials }, probed);
  return storeConnection(deps, { userId: request.userId, destination: request.destination, ...found }, command);
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
function chooseCode(outcome: Exclude<Outcome<never>, { kind: 'done' }>): RefusedCommandError['code'] {
  if (outcome.kind === 'rejected') return outcome.code.toUpperCase() as Uppercase<RejectionCode>;
  if (outcome.kind === 'unauthorised') return 'CREDENTIALS_REFUSED';
  return outcome.kind === 'rateLimited' ? 'DESTINATION_RATE_LIMITED' : 'DESTINATION_UNAVAILABLE';
}

/**
 * Stores the connection unless the author connected another account or disconnected during the
 * probe. A reconnection replaces only the connection that it probed.
 */
async function storeConnection(
  { db, sealer }: ConnectDeps,
  connection: Parameters<typeof connectUnlessOutdated>[3],
  command: ConnectCommand,
): Promise<{ id: string }> {
  const stored = await connectUnlessOutdated(db, sealer, command, connection);
  if (stored) return stored;
  const { userId, destination, platform, baseUrl, credentials } = connection;
  const present = await findOpenConnection(db, sealer, userId, destination);
  if (command.replaced && !present) throw createNotConnectedError();
  // A concurrent command may have stored the same connection. The status is read because a delivery
  // may have been refused since.
  const status = (await findConnection(db, userId, destination))?.status;
  const isSame =
    present?.platform === platform &&
    present.baseUrl === baseUrl &&
    isDeepStrictEqual(present.credentials, credentials);
  if (present && status === 'active' && isSame) return { id: present.id };
  const message =
    'The destination was reconnected or disconnected while this account was tested. That change stays in effect.';
  throw new RefusedCommandError('CONNECTION_CHANGED', message);
}

const MAX_CREDENTIAL_CHARACTERS = 8_192;
const MAX_ADDRESS_CHARACTERS = 2_000;

/** `platform` is optional where the key has one platform. Throws BAD_PLATFORM. */
function findAdapter({
  destination,
  platform,
}: {
  destination: DestinationKey;
  platform?: string | null | undefined;
}): Destination {
  const platforms = PLATFORMS_BY_KEY[destination];
  const requested = platform ?? (platforms.length === 1 ? platforms[0] : null);
  const adapter = requested ? findDestinationForKey(destination, requested) : null;
  if (adapter) return adapter;
  const message = `The platforms of ${destination} are: ${platforms.join(', ')}. Specify one with platform.`;
  throw new RefusedCommandError('BAD_PLATFORM', message, 'platform');
}

/** Returns the fields trimmed, without empty ones. Throws BAD_CREDENTIALS. */
function checkCredentials(adapter: Destination, fields: Record<string, string>): Record<string, string> {
  const fieldNames = adapter.connection.fields.map(({ name }) => name);
  const unknownName = Object.keys(fields).find((name) => !fieldNames.includes(name));
  if (unknownName !== undefined) {
    const message = `The fields of ${adapter.label} are ${fieldNames.join(', ')}; "${unknownName.slice(0, 50)}" is not one of them.`;
    throw new RefusedCommandError('BAD_CREDENTIALS', message, 'credentials');
  }
  const credentials = Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );
  const missing = adapter.connection.fields
    .filter(({ name, isOptional }) => !isOptional && credentials[name] === undefined)
    .map(({ name }) => name);
  if (missing.length > 0) {
    const message = `${adapter.label} requires ${missing.join(' and ')}.`;
    throw new RefusedCommandError('BAD_CREDENTIALS', message, `credentials.${missing[0]}`);
  }
  const invalidName = fieldNames.find((name) => !/^[\x20-\x7e]{0,8192}$/.test(credentials[name] ?? ''));
  if (invalidName !== undefined) {
    const message = `${invalidName} contains invalid characters, or more than ${MAX_CREDENTIAL_CHARACTERS} characters. Copy it again.`;
    throw new RefusedCommandError('BAD_CREDENTIALS', message, `credentials.${invalidName}`);
  }
  return credentials;
}

/**
 * Returns the address, or the platform's default, normalised so that one site has one spelling.
 * Throws BAD_ADDRESS.
 */
function checkBaseUrl(
  { allowPrivate }: Pick<ApiConfig, 'allowPrivate'>,
  adapter: Destination,
  baseUrl: string | null | undefined,
): string {
  const address = baseUrl?.trim() || adapter.connection.defaultBaseUrl;
  if (address === null) {
    throw new RefusedCommandError(
      'BAD_ADDRESS',
      `The address of your ${adapter.label} site is missing. Enter it.`,
      'baseUrl',
    );
  }
  // The URL parser ignores these characters; other parsers of the address do not.
  if (/[\s\p{Cc}]/u.test(address) || address.length > MAX_ADDRESS_CHARACTERS) {
    throw new RefusedCommandError('BAD_ADDRESS', 'The address is not a valid URL.', 'baseUrl');
  }
  try {
    return adapter.normalizeBaseUrl(checkAddress(address, { allowPrivate }).href);
  } catch (error) {
    if (!(error instanceof RefusedAddressError)) throw error;
    throw new RefusedCommandError('BAD_ADDRESS', error.message, 'baseUrl');
  }
}
