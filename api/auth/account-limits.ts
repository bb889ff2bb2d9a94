/** Limits of accounts and mails per network and of mails per address. */
import type { Database } from '../../store/db/database.ts';
import { isKnownNetwork } from '../../store/sessions/known-networks.ts';
import { toNetwork } from '../plugins/network.ts';
import type { AccountDeps, Client } from './account-deps.ts';
import { countLimited, DAY_MS, HOUR_MS, requireBelowLimit } from './limits.ts';

const SENT_ALREADY =
  'The limit of mails to this address is reached. Check the inbox and the spam folder for an earlier mail';

/** Each change mails the address of the account, which can be a stranger's until it is confirmed. */
const PASSWORD_CHANGES = {
  max: 10,
  windowMs: DAY_MS,
  reason: 'The password was changed too many times within one day',
};
/** A school or an office can share one address. Each registration costs a password hash and a mail. */
const REGISTRATIONS = { max: 10, windowMs: HOUR_MS, reason: 'Too many accounts were created from your network' };
const NETWORK_MAILS = { max: 20, windowMs: HOUR_MS, reason: 'Too many mails were requested from your network' };
/** To one address from one network. Allows repeats, because a mail can be late or filed as spam. */
const PAIR_MAILS = { max: 3, windowMs: HOUR_MS, reason: SENT_ALREADY };
/** To one address from all networks, so that many networks together cannot flood a mailbox. */
const ADDRESS_MAILS = { max: 10, windowMs: DAY_MS, reason: SENT_ALREADY };
/**
 * Reset links beyond the limit of the address or of its network, for networks that the account has
 * signed in from.
 */
const RESERVED_RESETS = { max: 5, windowMs: DAY_MS, reason: SENT_ALREADY };
/**
 * Reset links beyond the limits above, for any network. A link is valid for an hour, so a refused
 * owner still has a valid one.
 */
const FURTHER_RESETS = {
  max: 1,
  windowMs: HOUR_MS,
  reason:
    'A mail with a reset link was requested for this address within the last hour. Its link still works. Check the inbox and the spam folder',
};

export function countPasswordChange(db: Database, userId: string): Promise<void> {
  return requireBelowLimit(db, `password-of:${userId}`, PASSWORD_CHANGES);
}

export function countRegistration(db: Database, address: string): Promise<void> {
  return requireBelowLimit(db, `register-from:${toNetwork(address)}`, REGISTRATIONS);
}

/** Counts a requested mail. The response is the same whether or not the address has an account. */
export async function countMail(db: Database, address: string, email: string): Promise<void> {
  const { network, pair, to } = nameBuckets(toNetwork(address), email);
  // In sequence: a mail that one limit rejects does not count towards the next one.
  await requireBelowLimit(db, network, NETWORK_MAILS);
  await requireBelowLimit(db, pair, PAIR_MAILS);
  await requireBelowLimit(db, to, ADDRESS_MAILS);
}

/**
 * Counts a requested reset link. Strangers can use up the limit of an address, or of a network that
 * its owner shares. The owner then still gets the reserved and the further links. Errors:
 * RATE_LIMITED.
 */
export async function limitResetLinks({ db, refreshKey }: AccountDeps, client: Client, email: string): Promise<void> {
  const network = toNetwork(client.address);
  const buckets = nameBuckets(network, email);
  const isKnown = await isKnownNetwork(db, refreshKey, { email, network });
  const networkRefusal = await countLimited(db, buckets.network, NETWORK_MAILS);
  if (networkRefusal !== null && !isKnown) throw networkRefusal;
  await requireBelowLimit(db, buckets.pair, PAIR_MAILS);
  if (networkRefusal === null && (await countLimited(db, buckets.to, ADDRESS_MAILS)) === null) return;
  if (isKnown && (await countLimited(db, buckets.reserve, RESERVED_RESETS)) === null) return;
  await requireBelowLimit(db, buckets.further, FURTHER_RESETS);
}

function nameBuckets(network: string, email: string) {
  const key = email.toLowerCase().slice(0, 320);
  return {
    ...{ network: `mail-from:${network}`, pair: `mail:${network}:${key}`, to: `mail-to:${key}` },
    ...{ reserve: `reset-reserve:${key}`, further: `reset-further:${key}` },
  };
}
