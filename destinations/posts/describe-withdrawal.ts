/**
 * Describes to the author what happens to a copy when its article is withdrawn, or when an update
 * cannot reach it. Pure, and without platform code, so that all callers show the same text.
 */
import type { Limits } from '../types.ts';

export interface CopyToWithdraw {
  url: string | null;
  /** Null if the copy's account is not connected. */
  connection: { platform: string; status: 'active' | 'unauthorised' } | null;
  /** The display name of that account. Null if unknown. */
  account?: string | null;
  /** Another account is, or was, connected instead of that one. */
  isFormer?: boolean;
  /** The article was imported from this copy, and not published by its author since. */
  isOriginal?: boolean;
  /** The outcome of the attempt to create it is unknown. */
  isUncertain?: boolean;
}

/**
 * What happens to a live or uncertain copy whose article is withdrawn. `isWithdrawn` is false if it
 * stays. `platform` belongs to the connection; null if this version does not deliver to it.
 */
export function describeWithdrawal(
  found: CopyToWithdraw,
  platform: { label: string; limits: Pick<Limits, 'withdraw' | 'canFind'> } | null,
): { isWithdrawn: boolean; message: string } {
  if (found.isUncertain) return describeUncertain(found, platform);
  const { url, connection, account = null, isFormer = false } = found;
  const copy = url === null ? 'The copy there' : `The copy at ${url}`;
  if (found.isOriginal) return { isWithdrawn: false, message: `${copy} is the imported original and stays unchanged.` };
  const staysLive = (reason: string) => ({ isWithdrawn: false, message: `${copy} stays live${reason}` });
  if (connection === null) {
    return staysLive(`: ${describeAccount(account, isFormer)} is not connected. Remove it there, or connect it again.`);
  }
  const withdraw = platform?.limits.withdraw ?? 'none';
  if (withdraw === 'none') {
    return staysLive(`: ${platform?.label ?? connection.platform} cannot withdraw posts. Remove it there.`);
  }
  if (connection.status === 'unauthorised') {
    return staysLive(' until you connect the destination again, because it rejected the credential.');
  }
  return { isWithdrawn: true, message: `${copy} ${WITHDRAWING[withdraw]}` };
}

/** If a look-up finds the copy, it is withdrawn. */
function describeUncertain(
  { connection, account = null, isFormer = false }: CopyToWithdraw,
  platform: Parameters<typeof describeWithdrawal>[1],
): { isWithdrawn: boolean; message: string } {
  const accountName = account === null && platform ? platform.label : describeAccount(account, isFormer);
  const mayBe = `There may be a copy at ${accountName}: the outcome of an attempt to create it is unknown.`;
  const withdraw = platform?.limits.canFind && connection?.status === 'active' ? platform.limits.withdraw : 'none';
  return withdraw === 'none'
    ? { isWithdrawn: false, message: `${mayBe} Check there, and remove it if you find one.` }
    : { isWithdrawn: true, message: `${mayBe} If a look-up finds it, it is ${WITHDRAWN[withdraw]}.` };
}

function describeAccount(account: string | null, isFormer: boolean): string {
  if (account !== null) return `the account “${account}”`;
  return isFormer ? 'the account that was connected before' : 'the destination';
}

const WITHDRAWING: Record<Exclude<Limits['withdraw'], 'none'>, string> = {
  deleted: 'is being deleted. Check that it is gone.',
  unpublished: 'is being unpublished. Check that it is gone.',
  delisted:
    'is being removed from the lists, but stays readable at its address. Delete it there to remove it completely.',
};

const WITHDRAWN: typeof WITHDRAWING = {
  deleted: 'deleted',
  unpublished: 'unpublished',
  delisted: 'removed from the lists',
};

/** For a platform that cannot update posts. */
export function describeUnchangeable(label: string, url: string | null): string {
  const copy = url === null ? 'the copy there' : `the copy at ${url}`;
  return `${label} cannot update posts: ${copy} stays as it was published.`;
}
