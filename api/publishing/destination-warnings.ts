/** The warnings of a publish about its destinations: not connected, what is lost or refused there, copies that stay as they are or stay live. */
import type { ArticleStatus, DestinationKey, Notice } from '../../article/types.ts';
import { findFormat } from '../../destinations/format/platform-formats.ts';
import type { Preflight } from '../../destinations/format/preflight.ts';
import { findKey } from '../../destinations/platforms.ts';
import { describeUnchangeable, describeWithdrawal } from '../../destinations/posts/copy-fate.ts';
import type { RemoteCopy } from '../../store/deliveries/copies.ts';
import type { DestinationFacts } from '../../store/deliveries/destination-facts.ts';

export interface PublishSituation {
  /** As the store decided. */
  status: ArticleStatus;
  /** False with `syndicationMode: "local"`. */
  syndicate: boolean;
  facts: DestinationFacts;
  /** Of the connected destinations that the article asks for. */
  preflights: readonly Preflight[];
}

/** Pure: a repeat of the request is answered with the same. */
export function buildDestinationWarnings(situation: PublishSituation): Notice[] {
  const { facts, status, syndicate } = situation;
  const missing = facts.missing.map((destination) => {
    const message = `cross_post asks for ${destination}, but it is not connected; nothing is delivered there until you connect it.`;
    return { code: 'destination_not_connected', path: `cross_post.${destination}`, message, destination };
  });
  // Until its hour a scheduled article is as little public as a draft.
  const withdrawn = status === 'PUBLISHED' ? [] : facts.copies.flatMap(warnOfWithdrawal);
  if (status === 'DRAFT' || !syndicate) return [...missing, ...withdrawn];
  const wanted = facts.copies.filter(({ isSelected, isFormer }) => isSelected && !isFormer);
  const unchanged = wanted.flatMap(warnOfUnchangedCopy);
  const untouched = new Set<DestinationKey | undefined>(unchanged.map(({ destination }) => destination));
  // What was disconnected while the document was read gets nothing, and so loses nothing.
  const isSent = (key: DestinationKey) => facts.connected.includes(key) && !untouched.has(key);
  const sent = situation.preflights.filter(({ platform }) => isSent(findKey(platform)));
  return [...missing, ...sent.flatMap(warnOfLosses), ...unchanged, ...withdrawn];
}

/** What becomes of a copy that is live, or may be there, when its article is not public any more. */
export function warnOfWithdrawal(copy: RemoteCopy): Notice[] {
  const { destination, connection, isLive, isUncertain } = copy;
  if (!isLive && !isUncertain) return [];
  const { message } = describeWithdrawal(copy, connection && findFormat(connection.platform));
  const code = isUncertain ? 'remote_copy_unknown' : 'remote_copy_live';
  return [{ code, path: `cross_post.${destination}`, message, destination }];
}

/** A copy that this publish does not touch, though it asks for the destination. */
function warnOfUnchangedCopy({ destination, connection, isLive, isOutdated, isWithdrawn, url }: RemoteCopy): Notice[] {
  const path = `cross_post.${destination}`;
  const platform = connection && findFormat(connection.platform);
  if (isWithdrawn) {
    const label = platform?.label ?? destination;
    const message = `You withdrew the copy at ${label}, and this publish does not bring it back; retryDelivery does.`;
    return [{ code: 'destination_withdrawn', path, message, destination }];
  }
  if (!isLive || !isOutdated || platform === null || platform.limits.canUpdate) return [];
  return [{ code: 'destination_not_updated', path, message: describeUnchangeable(platform.label, url), destination }];
}

function warnOfLosses({ platform, losses, refusal }: Preflight): Notice[] {
  const destination = findKey(platform);
  const refused = refusal && {
    ...refusal,
    code: 'destination_would_refuse',
    message: `${refusal.message} As it is, the delivery there will end as failed.`,
  };
  return [...(refused ? [refused] : []), ...losses].map((notice) => ({
    ...notice,
    path: notice.path ?? (notice.line === undefined ? `cross_post.${destination}` : 'content'),
    destination,
  }));
}
