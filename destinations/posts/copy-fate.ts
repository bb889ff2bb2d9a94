/**
 * What becomes of an article's copy at a destination, in the words that its author reads: when the article is taken back, and when an
 * update cannot get there. Pure, and without the platforms' code, so that every room uses the same words.
 */
import type { Limits } from '../types.ts';

export interface CopyFound {
  url: string | null;
  /** Null where the account at which it stands is not connected. */
  connection: { platform: string; status: 'active' | 'unauthorised' } | null;
  /** What that account is called; null where it is not known. */
  account?: string | null;
  /** Another account is, or was, connected in the place of that one. */
  isFormer?: boolean;
  /** The article was imported from there, and not published by its author since. */
  isOriginal?: boolean;
  /** The outcome of the attempt that would have made it is not known. */
  isUncertain?: boolean;
}

/**
 * What happens to a copy whose article is taken back: one that is live, or may be there. `isWithdrawn` is false where it stays. `platform` is
 * that of the connection, null where this version does not deliver to it.
 */
export function describeWithdrawal(
  given: CopyFound,
  platform: { label: string; limits: Pick<Limits, 'withdraw' | 'canFind'> } | null,
): { isWithdrawn: boolean; message: string } {
  if (given.isUncertain) return describeUncertain(given, platform);
  const { url, connection, account = null, isFormer = false } = given;
  const copy = url === null ? 'The copy there' : `The copy at ${url}`;
  if (given.isOriginal)
    return { isWithdrawn: false, message: `${copy} is the original that was imported, and stays as it is.` };
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

/** A copy that is found is taken back like any other. */
function describeUncertain(
  { connection, account = null, isFormer = false }: CopyFound,
  platform: Parameters<typeof describeWithdrawal>[1],
): { isWithdrawn: boolean; message: string } {
  const place = account === null && platform ? platform.label : describeAccount(account, isFormer);
  const mayBe = `A post may be at ${place}: the outcome of an attempt to make one is not known.`;
  const withdraw = platform?.limits.canFind && connection?.status === 'active' ? platform.limits.withdraw : 'none';
  return withdraw === 'none'
    ? { isWithdrawn: false, message: `${mayBe} Look there, and remove it if you find one.` }
    : { isWithdrawn: true, message: `${mayBe} It is looked for, and ${WITHDRAWN[withdraw]} if it is there.` };
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

const WITHDRAWN: typeof WITHDRAWING = {
  deleted: 'deleted',
  unpublished: 'unpublished',
  delisted: 'taken out of the lists',
};

/** A platform that can do nothing but create: the copy does not get what changed. */
export function describeUnchangeable(label: string, url: string | null): string {
  const copy = url === null ? 'the copy there' : `the copy at ${url}`;
  return `${label} cannot change a post: ${copy} stays as it was published.`;
}
