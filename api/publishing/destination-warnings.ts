/**
 * Builds the warnings of a publish about its destinations: missing connections, lost or rejected
 * content, and copies that are not updated or stay live.
 */
import type { ArticleStatus, DestinationKey, Notice } from '../../article/types.ts';
import type { Preflight } from '../../destinations/format/preflight.ts';
import { findKey } from '../../destinations/platforms.ts';
import { describeUnchangeable, describeWithdrawal } from '../../destinations/posts/describe-withdrawal.ts';
import { findDescriptor } from '../../destinations/registry.ts';
import type { RemoteCopy } from '../../store/copies/copies.ts';
import type { DestinationFacts } from '../../store/deliveries/destination-facts.ts';

export interface PublishSituation {
  /** Decided by the store. */
  status: ArticleStatus;
  /** False with `syndicationMode: "local"`. */
  syndicate: boolean;
  facts: DestinationFacts;
  /** Of connected destinations for which the article is selected. */
  preflights: readonly Preflight[];
}

/** Pure, so that a repeated request gets the same warnings. */
export function buildDestinationWarnings(situation: PublishSituation): Notice[] {
  const { facts, status, syndicate } = situation;
  const missing = facts.missing.map((destination): Notice => {
    const message = `cross_post selects ${destination}, but it is not connected; nothing is delivered there until you connect it.`;
    return { code: 'destination_not_connected', path: `cross_post.${destination}`, message, destination };
  });
  // A scheduled article is not public yet, so its copies are withdrawn like those of a draft.
  const withdrawn = status === 'PUBLISHED' ? [] : facts.copies.flatMap(buildWithdrawalWarnings);
  if (status === 'DRAFT' || !syndicate) return [...missing, ...withdrawn];
  const selected = facts.copies.filter(({ isSelected, isFormer }) => isSelected && !isFormer);
  const unchanged = selected.flatMap(warnOfUnchangedCopy);
  const unchangedDestinations = new Set<DestinationKey | undefined>(unchanged.map(({ destination }) => destination));
  // A destination that was disconnected meanwhile receives nothing, so it loses nothing.
  const isSent = (key: DestinationKey) => facts.connected.includes(key) && !unchangedDestinations.has(key);
  const sent = situation.preflights.filter(({ platform }) => isSent(findKey(platform)));
  return [...missing, ...sent.flatMap(warnOfLosses), ...unchanged, ...withdrawn];
}

/** Describes what happens to a live or uncertain copy of an article that is no longer public. */
export function buildWithdrawalWarnings(copy: RemoteCopy): Notice[] {
  const { destination, connection, isLive, isUncertain } = copy;
  if (!isLive && !isUncertain) return [];
  const { message } = describeWithdrawal(copy, connection && findDescriptor(connection.platform));
  const code = isUncertain ? 'remote_copy_unknown' : 'remote_copy_live';
  return [{ code, path: `cross_post.${destination}`, message, destination }];
}

/** Warns about a copy that this publish does not change although the destination is selected. */
function warnOfUnchangedCopy({ destination, connection, isLive, isOutdated, isWithdrawn, url }: RemoteCopy): Notice[] {
  const path = `cross_post.${destination}`;
  const platform = connection && findDescriptor(connection.platform);
  if (isWithdrawn) {
    const label = platform?.label ?? destination;
    const message = `You withdrew the copy at ${label}, and this publish does not restore it; retryDelivery does.`;
    return [{ code: 'destination_withdrawn', path, message, destination }];
  }
  if (!isLive || !isOutdated || platform === null || platform.limits.canUpdate) return [];
  return [{ code: 'destination_not_updated', path, message: describeUnchangeable(platform.label, url), destination }];
}

function warnOfLosses({ platform, losses, refusal }: Preflight): Notice[] {
  const destination = findKey(platform);
  const refused: Notice | null = refusal && {
    ...refusal,
    code: 'destination_would_refuse',
    message: `${refusal.message} Without a change, the delivery to this destination will fail.`,
  };
  return [...(refused ? [refused] : []), ...losses].map(
    (notice): Notice => ({
      ...notice,
      path: notice.path ?? (notice.line === undefined ? `cross_post.${destination}` : 'content'),
      destination,
    }),
  );
}
