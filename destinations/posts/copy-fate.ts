/**
 * What becomes of an article's copy at a destination, in the words that its author reads: when the article is taken back, and when an
 * update cannot get there. Pure, and without the platforms' code, so that every room uses the same words.
 */
import type { Limits } from '../types.ts';

export interface LiveCopy {
  url: string | null;
  /** Null where the account at which it stands is not connected. */
  connection: { platform: string; status: 'active' | 'unauthorised' } | null;
  /** What that account is called; null where it is not known. */
  account?: string | null;
  /** Another account is, or was, connected in the place of that one. */
  isFormer?: boolean;
}

/**
 * What happens to a live copy whose article is taken back. `isWithdrawn` is false where it stays live. `platform` is that of the connection,
 * null where this version does not deliver to it.
 */
export function describeWithdrawal(
  { url, connection, account = null, isFormer = false }: LiveCopy,
  platform: { label: string; limits: Pick<Limits, 'withdraw'> } | null,
): { isWithdrawn: boolean; message: string } {
  const copy = url === null ? 'The copy there' : `The copy at ${url}`;
  const staysLive = (why: string) => ({ isWithdrawn: false, message: `${copy} stays live${why}` });
  if (connection === null) {
    return staysLive(`: ${describeAccount(account, isFormer)} is not connected. Remove it there, or connect it again.`);
  }
  const withdraw = platform?.limits.withdraw ?? 'none';
  if (withdraw === 'none') {
    return staysLive(`: ${platform?.label ?? connection.platform} cannot take a post back. Remove it there.`);
  }
  if (connection.status === 'unauthorised') {
    return staysLive(' until you connect the destination again, since it refused the credential.');
  }
  return { isWithdrawn: true, message: `${copy} ${WITHDRAWING[withdraw]}` };
}

function describeAccount(account: string | null, isFormer: boolean): string {
  if (account !== null) return `the account “${account}”`;
  return isFormer ? 'the account that was connected before' : 'the destination';
}

const WITHDRAWING: Record<Exclude<Limits['withdraw'], 'none'>, string> = {
  deleted: 'is being deleted; look there to be sure.',
  unpublished: 'is being unpublished; look there to be sure.',
  delisted: 'is being taken out of the lists, but stays readable at its address: delete it there to be rid of it.',
};

/** A platform that can do nothing but create: the copy does not get what changed. */
export function describeUnchangeable(label: string, url: string | null): string {
  const copy = url === null ? 'the copy there' : `the copy at ${url}`;
  return `${label} cannot change a post: ${copy} stays as it was published.`;
}
