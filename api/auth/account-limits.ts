/** Limits of accounts and mails per network and of mails per address, across all API instances. */

import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { Database } from '../../store/db/database.ts';
import { countHit } from '../../store/rate-limits/counters.ts';
import { isKnownNetwork } from '../../store/sessions/known-networks.ts';
import { toNetwork } from '../plugins/network.ts';
import type { AccountDeps, Client } from './account-deps.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * A school or an office can share one address. Each registration costs a password hash and a mail.
 */
const REGISTRATIONS_PER_HOUR = 10;
const MAILS_PER_NETWORK_AND_HOUR = 20;
/** To one address from one network. Allows repeats, because a mail can be late or filed as spam. */
const MAILS_PER_PAIR_AND_HOUR = 3;
/** To one address from all networks, so that many networks together cannot flood a mailbox. */
const MAILS_PER_ADDRESS_AND_DAY = 10;
/**
 * Reset links beyond the limit of the address or of its network, for networks that the account has
 * signed in from.
 */
const RESERVED_RESETS_PER_DAY = 5;
/**
 * Reset links beyond the limits above, for any network. A link is valid for an hour, so a refused
 * owner still has a valid one.
 */
const FURTHER_RESETS_PER_HOUR = 1;

/**
 * Each change mails the address of the account, which can be a stranger's until it is confirmed.
 */
const PASSWORD_CHANGES_PER_DAY = 10;

export async function countPasswordChange(db: Database, userId: string): Promise<void> {
  const { current, ttl } = await countHit(db, `password-of:${userId}`, DAY_MS);
  if (current > PASSWORD_CHANGES_PER_DAY) throw refuse('The password was changed too many times within one day', ttl);
}

export async function countRegistration(db: Database, address: string): Promise<void> {
  const { current, ttl } = await countHit(db, `register-from:${toNetwork(address)}`, HOUR_MS);
  if (current > REGISTRATIONS_PER_HOUR) throw refuse('Too many accounts were created from your network', ttl);
}

/** Counts a requested mail. The response is the same whether or not the address has an account. */
export async function countMail(db: Database, address: string, email: string): Promise<void> {
  const network = toNetwork(address);
  const emailKey = toEmailKey(email);
  const refusal =
    (await countNetwork(db, network)) ?? (await countPair(db, network, emailKey)) ?? (await countAddress(db, emailKey));
  if (refusal !== null) throw refusal;
}

/**
 * Counts a requested reset link. Strangers can use up the limit of an address, or of a network that
 * its owner shares. The owner then still gets the reserved and the further links. Errors:
 * RATE_LIMITED.
 */
export async function limitResetLinks(
  { db, refreshKey }: AccountDeps,
  { address }: Client,
  email: string,
): Promise<void> {
  const network = toNetwork(address);
  const emailKey = toEmailKey(email);
  const isKnown = await isKnownNetwork(db, refreshKey, { email, network });
  const networkRefusal = await countNetwork(db, network);
  if (networkRefusal !== null && !isKnown) throw networkRefusal;
  const pairRefusal = await countPair(db, network, emailKey);
  if (pairRefusal !== null) throw pairRefusal;
  if (networkRefusal === null && (await countAddress(db, emailKey)) === null) return;
  if (isKnown) {
    const reserved = await countHit(db, `reset-reserve:${emailKey}`, DAY_MS);
    if (reserved.current <= RESERVED_RESETS_PER_DAY) return;
  }
  const further = await countHit(db, `reset-further:${emailKey}`, HOUR_MS);
  if (further.current > FURTHER_RESETS_PER_HOUR) throw refuse(LINK_WORKS, further.ttl);
}

function toEmailKey(email: string): string {
  return email.toLowerCase().slice(0, 320);
}

/** Counts a mail. Returns the refusal above the limit of the network. */
async function countNetwork(db: Database, network: string): Promise<RefusedCommandError | null> {
  const { current, ttl } = await countHit(db, `mail-from:${network}`, HOUR_MS);
  return current > MAILS_PER_NETWORK_AND_HOUR ? refuse('Too many mails were requested from your network', ttl) : null;
}

async function countPair(db: Database, network: string, emailKey: string): Promise<RefusedCommandError | null> {
  const { current, ttl } = await countHit(db, `mail:${network}:${emailKey}`, HOUR_MS);
  return current > MAILS_PER_PAIR_AND_HOUR ? refuse(SENT_ALREADY, ttl) : null;
}

async function countAddress(db: Database, emailKey: string): Promise<RefusedCommandError | null> {
  const { current, ttl } = await countHit(db, `mail-to:${emailKey}`, DAY_MS);
  return current > MAILS_PER_ADDRESS_AND_DAY ? refuse(SENT_ALREADY, ttl) : null;
}

const SENT_ALREADY =
  'The limit of mails to this address is reached. Check the inbox and the spam folder for an earlier mail';
const LINK_WORKS =
  'A mail with a reset link was requested for this address within the last hour. Its link still works. Check the inbox and the spam folder';

function refuse(reason: string, ttlMs: number): RefusedCommandError {
  return new RefusedCommandError('RATE_LIMITED', `${reason}. Try again in ${describeWait(ttlMs)}.`);
}

/** In minutes up to 90, then in hours. */
function describeWait(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
