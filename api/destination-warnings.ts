/** What the answer to a publish says of its destinations: not connected, lost or refused there, not to be changed, not to be taken back. */
import type { ArticleDraft, ArticleStatus, Notice } from '../article/types.ts';
import { findFormat } from '../destinations/format/formats.ts';
import type { Preflight } from '../destinations/format/preflight.ts';
import { findKey } from '../destinations/platforms.ts';
import type { DestinationFacts, RemoteCopy } from '../store/deliveries/destination-facts.ts';

export interface PublishSituation {
  draft: ArticleDraft;
  /** As the store decided. */
  status: ArticleStatus;
  /** False with `syndicationMode: "local"`. */
  syndicate: boolean;
  facts: DestinationFacts;
  /** Of the destinations that are connected and asked for. */
  preflights: readonly Preflight[];
}

/** Pure: a repeat of the request is answered with the same. */
export function destinationWarnings(situation: PublishSituation): Notice[] {
  const { facts, draft, status, syndicate } = situation;
  const missing = facts.missing.map((destination) => {
    const message = `cross_post asks for ${destination}, but it is not connected; nothing is delivered there until you connect it.`;
    return { code: 'destination_not_connected', path: `cross_post.${destination}`, message, destination };
  });
  if (status === 'DRAFT') return [...missing, ...facts.copies.flatMap(fateOfCopy)];
  if (!syndicate) return missing;
  const wanted = facts.copies.filter(({ destination }) => draft.crossPost[destination]);
  const staying = wanted.flatMap((copy) => stayingAsItIs(copy));
  const untouched = new Set(staying.map(({ destination }) => destination));
  const sent = situation.preflights.filter(({ platform }) => !untouched.has(findKey(platform)));
  return [...missing, ...sent.flatMap(lostThere), ...staying];
}

function lostThere({ platform, losses, refusal }: Preflight): Notice[] {
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

/** A copy that this publish does not touch, though it asks for the destination. */
function stayingAsItIs(copy: RemoteCopy): Notice[] {
  const { destination, connection, isLive, isOutdated, isWithdrawn } = copy;
  const path = `cross_post.${destination}`;
  const adapter = connection && findFormat(connection.platform);
  const label = adapter?.label ?? destination;
  if (isWithdrawn) {
    const message = `You withdrew the copy at ${label}, and this publish does not bring it back; retryDelivery does.`;
    return [{ code: 'destination_withdrawn', path, message, destination }];
  }
  if (!isLive || !isOutdated || adapter === null || adapter.limits.canUpdate) return [];
  const message = `${label} cannot change a post: ${nameOf(copy)} stays as it was published.`;
  return [{ code: 'destination_not_updated', path, message, destination }];
}

/** What becomes of a copy in public whose article is a draft again. */
function fateOfCopy(copy: RemoteCopy): Notice[] {
  const { destination } = copy;
  if (!copy.isLive) return [];
  const message = `${nameOf(copy, 'The')} ${fateWords(copy)}`;
  return [{ code: 'remote_copy_live', path: `cross_post.${destination}`, message, destination }];
}

function fateWords({ connection }: RemoteCopy): string {
  if (connection === null)
    return 'stays live: the destination is not connected. Remove it there, or connect it and publish again.';
  const adapter = findFormat(connection.platform);
  const withdraw = adapter?.limits.withdraw ?? 'none';
  if (withdraw === 'none')
    return `stays live: ${adapter?.label ?? connection.platform} cannot take a post back. Remove it there.`;
  if (connection.status === 'unauthorised')
    return 'stays live until you connect the destination again, since it refused the credential.';
  return WITHDRAWING[withdraw];
}

const WITHDRAWING = {
  deleted: 'is being deleted; look there to be sure.',
  unpublished: 'is being unpublished; look there to be sure.',
  delisted: 'is being taken off all lists, but stays readable at its address: delete it there to be rid of it.',
} as const;

function nameOf({ url }: RemoteCopy, article: 'the' | 'The' = 'the'): string {
  return url === null ? `${article} copy there` : `${article} copy at ${url}`;
}
