/**
 * Connecting a destination: the author's words checked, the address guarded, the credential tried at the destination, and only what works
 * is kept. Nothing is stored where any of it fails.
 */
import type { DestinationKey } from '../article/types.ts';
import { checkAddress, RefusedAddressError } from '../destinations/http/address-guard.ts';
import { PLATFORMS_BY_KEY } from '../destinations/platforms.ts';
import { destinationBehind } from '../destinations/registry.ts';
import type { Destination, Outcome, ProbedAccount } from '../destinations/types.ts';
import { connectDestination, replaceConnection } from '../store/connections/connect.ts';
import { openConnection } from '../store/connections/credentials.ts';
import { findConnection } from '../store/connections/list.ts';
import type { Database } from '../store/db/database.ts';
import { countHit } from '../store/rate-limits/counters.ts';
import { SealError, type Sealer } from '../store/secrets/sealing.ts';
import type { ApiConfig } from './config.ts';

export interface ConnectDeps {
  db: Database;
  sealer: Sealer;
  config: Pick<ApiConfig, 'allowPrivate' | 'baseUrl'>;
  now: () => Date;
}

export interface ConnectRequest {
  userId: string;
  destination: DestinationKey;
  /** Needed where several platforms stand behind the key; else the only one. */
  platform?: string | null | undefined;
  /** Needed where the platform has no place of its own (a WordPress, a Ghost). */
  baseUrl?: string | null | undefined;
  credentials: Record<string, string>;
}

/** Why a destination was not connected: `code` is stable, the message says what to do, `field` names what is wrong where one thing is. */
export class NotConnectedError extends Error {
  override name = 'NotConnectedError';
  readonly code: string;
  readonly field: string | undefined;

  constructor(code: string, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** Each try calls a server of the author's choice: enough for a person, too few for a scan. */
const TRIES_PER_MINUTE = 10;
const PROBE_TIMEOUT_MS = 10_000;
/** For all exchanges of a probe: finding a site's API may take several, and somebody waits for the answer. */
const WHOLE_PROBE_MS = 25_000;
const LONGEST_CREDENTIAL = 8_192;
const LONGEST_ADDRESS = 2_000;

export async function connect(deps: ConnectDeps, request: ConnectRequest): Promise<{ id: string }> {
  await countTry(deps, request.userId);
  const adapter = adapterOf(request);
  const credentials = checkCredentials(adapter, request.credentials);
  const baseUrl = checkBaseUrl(deps, adapter, request.baseUrl);
  const probed = await probe(deps, adapter, baseUrl, credentials);
  return keep(deps, request, { adapter, baseUrl, credentials, probed });
}

/**
 * Tries the connection that is there once more, with new credentials where they are given: a platform may have refused a good key for a
 * while. What was held for it goes out.
 */
export async function reconnect(
  deps: ConnectDeps,
  request: { userId: string; destination: DestinationKey; credentials: Record<string, string> | null },
): Promise<{ id: string }> {
  await countTry(deps, request.userId);
  const present = await findConnection(deps.db, request.userId, request.destination);
  if (!present) throw notConnected();
  const adapter = adapterOf({ ...request, platform: present.platform });
  const credentials = checkCredentials(
    adapter,
    request.credentials ?? (await keptCredentials(deps, adapter, present.id)),
  );
  const baseUrl = checkBaseUrl(deps, adapter, present.baseUrl);
  const probed = await probe(deps, adapter, baseUrl, credentials);
  return keep(deps, request, { adapter, baseUrl, credentials, probed }, present.id);
}

/** Without the ids that a probe found out: this probe finds its own. */
async function keptCredentials(
  { db, sealer }: ConnectDeps,
  adapter: Destination,
  id: string,
): Promise<Record<string, string>> {
  try {
    const present = await openConnection(db, sealer, id);
    if (!present) throw notConnected();
    return pick(present.credentials, adapter);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const message = `The kept credential of ${adapter.label} cannot be read any more. Enter it again.`;
    throw new NotConnectedError('BAD_CREDENTIALS', message, 'credentials');
  }
}

function notConnected(): NotConnectedError {
  return new NotConnectedError('NOT_CONNECTED', 'This destination is not connected; connect it first.');
}

async function countTry({ db }: ConnectDeps, userId: string): Promise<void> {
  const { current, ttl } = await countHit(db, `connect:${userId}`, 60_000);
  if (current <= TRIES_PER_MINUTE) return;
  throw new NotConnectedError('RATE_LIMITED', `Too many attempts; try again in ${Math.ceil(ttl / 1000)} seconds.`);
}

function adapterOf({ destination, platform }: Pick<ConnectRequest, 'destination' | 'platform'>): Destination {
  const platforms = PLATFORMS_BY_KEY[destination];
  const wanted = platform ?? (platforms.length === 1 ? platforms[0] : null);
  const adapter = wanted ? destinationBehind(destination, wanted) : null;
  if (adapter) return adapter;
  const message = `Behind ${destination} stand: ${platforms.join(', ')}. Say which one with platform.`;
  throw new NotConnectedError('BAD_PLATFORM', message, 'platform');
}

function checkCredentials(adapter: Destination, given: Record<string, string>): Record<string, string> {
  const known = [...adapter.credentialFields, ...adapter.optionalFields];
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (stranger !== undefined) {
    const message = `${adapter.label} takes ${known.join(', ')}; "${stranger.slice(0, 50)}" is none of them.`;
    throw new NotConnectedError('BAD_CREDENTIALS', message, 'credentials');
  }
  const credentials = Object.fromEntries(
    Object.entries(given)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );
  const missing = adapter.credentialFields.filter((name) => credentials[name] === undefined);
  if (missing.length > 0) {
    const message = `${adapter.label} needs ${missing.join(' and ')}.`;
    throw new NotConnectedError('BAD_CREDENTIALS', message, `credentials.${missing[0]}`);
  }
  const strange = known.find((name) => !/^[\x20-\x7e]{0,8192}$/.test(credentials[name] ?? ''));
  if (strange !== undefined) {
    const message = `${strange} holds characters that no credential has, or more than ${LONGEST_CREDENTIAL} of them. Copy it again.`;
    throw new NotConnectedError('BAD_CREDENTIALS', message, `credentials.${strange}`);
  }
  return credentials;
}

function checkBaseUrl({ config }: ConnectDeps, adapter: Destination, given: string | null | undefined): string {
  const address = given?.trim() || adapter.defaultBaseUrl;
  if (address === null) {
    throw new NotConnectedError('BAD_ADDRESS', `Say where your ${adapter.label} is, with baseUrl.`, 'baseUrl');
  }
  // The parser of URLs passes over these; whoever reads or stores the address would not.
  if (/[\s\p{Cc}]/u.test(address) || address.length > LONGEST_ADDRESS) {
    throw new NotConnectedError('BAD_ADDRESS', 'The address is not a valid URL.', 'baseUrl');
  }
  try {
    const url = checkAddress(address, { allowPrivate: config.allowPrivate });
    // In one spelling, so that the same place is not taken for another.
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  } catch (error) {
    if (!(error instanceof RefusedAddressError)) throw error;
    throw new NotConnectedError('BAD_ADDRESS', error.message, 'baseUrl');
  }
}

async function probe(
  { config, now }: ConnectDeps,
  adapter: Destination,
  baseUrl: string,
  credentials: Record<string, string>,
): Promise<ProbedAccount> {
  const signal = AbortSignal.timeout(WHOLE_PROBE_MS);
  const options = { timeoutMs: PROBE_TIMEOUT_MS, signal, now, allowPrivate: config.allowPrivate };
  const outcome = await adapter.createClient({ connection: { baseUrl, credentials }, ...options }).probe();
  if (outcome.kind === 'done') return outcome.value;
  throw new NotConnectedError(codeOf(outcome), outcome.reason);
}

/** Codes of clients are in lower case, as in the ledger; GraphQL's are not. */
function codeOf(outcome: Exclude<Outcome<never>, { kind: 'done' }>): string {
  if (outcome.kind === 'rejected') return outcome.code.toUpperCase();
  if (outcome.kind === 'unauthorised') return 'CREDENTIALS_REFUSED';
  return outcome.kind === 'rateLimited' ? 'DESTINATION_RATE_LIMITED' : 'DESTINATION_UNAVAILABLE';
}

/** `replacedId`: only where that connection still is there; its author may have disconnected it while it was tried. */
async function keep(
  { db, sealer, now }: ConnectDeps,
  { userId, destination }: Pick<ConnectRequest, 'userId' | 'destination'>,
  found: { adapter: Destination; baseUrl: string; credentials: Record<string, string>; probed: ProbedAccount },
  replacedId?: string,
): Promise<{ id: string }> {
  const { account, baseUrl = found.baseUrl, settings = {} } = found.probed;
  const credentials = { ...found.credentials, ...settings };
  const { platform } = found.adapter;
  const connection = { userId, destination, platform, baseUrl, credentials, account, now: now() };
  if (replacedId === undefined) return connectDestination(db, sealer, connection);
  const kept = await replaceConnection(db, sealer, replacedId, connection);
  if (!kept) throw notConnected();
  return kept;
}

function pick(credentials: Record<string, string>, { credentialFields, optionalFields }: Destination) {
  const names = [...credentialFields, ...optionalFields];
  return Object.fromEntries(Object.entries(credentials).filter(([name]) => names.includes(name)));
}
