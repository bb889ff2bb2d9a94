/** How many accounts, and how many mails to strangers, one network may cause; counted across all API instances. */
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { Database } from '../../store/db/database.ts';
import { countHit } from '../../store/rate-limits/counters.ts';
import { toNetwork } from '../auth/login-limits.ts';

const HOUR_MS = 3_600_000;

/** A school or an office shares one address, so some; each costs a password hash and a mail. */
const REGISTRATIONS_PER_HOUR = 10;
const MAILS_PER_NETWORK_AND_HOUR = 20;
/** To one address from one network: the mail may be slow, or among spam. */
const MAILS_PER_PAIR_AND_HOUR = 3;
/** To one address from everywhere: many networks together do not fill a mailbox. */
const MAILS_PER_ADDRESS_AND_DAY = 10;

/** Each is told to the address of the account, which may be a stranger's as long as it is not confirmed. */
const PASSWORD_CHANGES_PER_DAY = 10;

export async function countPasswordChange(db: Database, userId: string): Promise<void> {
  const { current, ttl } = await countHit(db, `password-of:${userId}`, 24 * HOUR_MS);
  if (current > PASSWORD_CHANGES_PER_DAY) throw refuse('The password was changed many times within a day', ttl);
}

export async function countRegistration(db: Database, address: string): Promise<void> {
  const { current, ttl } = await countHit(db, `register-from:${toNetwork(address)}`, HOUR_MS);
  if (current > REGISTRATIONS_PER_HOUR) throw refuse('Many accounts were made from your network', ttl);
}

/** Of a mail that somebody asks for to an address, whether it has an account or not: the answer tells nobody. */
export async function countMail(db: Database, address: string, email: string): Promise<void> {
  const network = toNetwork(address);
  const to = email.toLowerCase().slice(0, 320);
  const ofNetwork = await countHit(db, `mail-from:${network}`, HOUR_MS);
  if (ofNetwork.current > MAILS_PER_NETWORK_AND_HOUR)
    throw refuse('Many mails were asked for from your network', ofNetwork.ttl);
  const ofPair = await countHit(db, `mail:${network}:${to}`, HOUR_MS);
  if (ofPair.current > MAILS_PER_PAIR_AND_HOUR) throw refuse(SENT_ALREADY, ofPair.ttl);
  const ofAddress = await countHit(db, `mail-to:${to}`, 24 * HOUR_MS);
  if (ofAddress.current > MAILS_PER_ADDRESS_AND_DAY) throw refuse(SENT_ALREADY, ofAddress.ttl);
}

const SENT_ALREADY = 'Mails to this address were asked for some times already; look among spam, too';

function refuse(reason: string, ttlMs: number): RefusedCommandError {
  const minutes = Math.max(1, Math.ceil(ttlMs / 60_000));
  return new RefusedCommandError(
    'RATE_LIMITED',
    `${reason}. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
  );
}
