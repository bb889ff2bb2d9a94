/** Compares the posts at the destinations with the recorded copies. */

import type { Platform } from '../../../destinations/types.ts';
import { findQuickDestination } from '../quick-destinations.ts';
import type { SandboxPost } from '../world.ts';
import { isPassedOver } from './events.ts';
import type { Facts } from './facts.ts';

/** Only its author changes a manually created post. */
export function checkForeignPosts({ handMade, posts, log }: Facts): string[] {
  const now = new Map(posts.filter(({ byHand }) => byHand).map((post) => [nameOf(post), post]));
  const changed = handMade.flatMap((before) => {
    const after = now.get(nameOf(before));
    return JSON.stringify(after) === JSON.stringify(before)
      ? []
      : [`a post made by hand was changed: ${nameOf(before)} is ${JSON.stringify(after ?? 'gone')}`];
  });
  const foreign = new Set(handMade.map(nameOf));
  const touched = log.filter((entry) => foreign.has(nameOf(entry)));
  return [
    ...changed,
    ...touched.map((entry) => `the log has ${entry.action} of a post made by hand: ${nameOf(entry)}`),
  ];
}

/** An article has at most one post at an account, whatever its status. */
export function checkDoubles(facts: Facts): string[] {
  const names = new Map<string, string[]>();
  for (const post of facts.posts.filter((one) => !one.byHand && !isBeyondKnowing(facts, one))) {
    const place = `${post.canonicalUrl} at ${post.platform} ${post.account}`;
    names.set(place, [...(names.get(place) ?? []), `${post.remoteId} (${post.status}, “${post.title}”)`]);
  }
  return [...names]
    .filter(([, ids]) => ids.length > 1)
    .map(([place, ids]) => `${ids.length} posts of ${place}: ${ids.join(', ')}`);
}

/** One identity represents one account, and one account has one identity. */
export function checkIdentities({ identities }: Facts): string[] {
  const confused = [...identities].filter(([, accounts]) => accounts.size > 1);
  const seen = new Map<string, string[]>();
  for (const [identity, accounts] of identities) {
    for (const account of accounts) seen.set(account, [...(seen.get(account) ?? []), identity]);
  }
  const doubled = [...seen].filter(([, known]) => known.length > 1);
  return [
    ...confused.map(([identity, accounts]) => `“${identity}” stands for ${[...accounts].join(' and ')}`),
    ...doubled.map(([account, known]) => `${account} is known as ${known.join(' and ')}`),
  ];
}

interface LedgerPost {
  place: string;
  accountId: string;
  isWithdrawn: boolean;
  isDeleted: boolean;
  /**
   * A change is open, or ended without a response when its account was left. Either status is
   * valid.
   */
  isUncertain: boolean;
  delivery: Facts['deliveries'][number];
  isFormer: boolean;
  /** The platform has no look-up. */
  isSilent: boolean;
}

/**
 * Our posts are exactly the recorded copies at all accounts. Further posts may exist from open
 * creates that cannot be looked up: at a platform without look-up, or at an account that is not
 * connected.
 */
export function checkLedger(facts: Facts): string[] {
  const ledger = listLedgerPosts(facts);
  const named = new Map(ledger.map((post) => [post.place, post]));
  const ours = facts.posts.filter((post) => !post.byHand && !isBeyondKnowing(facts, post));
  const allowed = listAllowed(facts);
  const unnamed = ours.filter(
    (post) => !named.has(nameOf(post)) && !allowed.has(`${post.canonicalUrl} ${placeOf(post)}`),
  );
  const standing = new Map(facts.posts.map((post) => [nameOf(post), post]));
  return [
    ...unnamed.map((post) => `the ledger does not name ${describe(post)}`),
    ...ledger.flatMap((row) => compare(facts, row, standing.get(row.place))),
  ];
}

function compare(facts: Facts, row: LedgerPost, post: SandboxPost | undefined): string[] {
  const { articles, wasRestored } = facts;
  if (!post)
    return row.isUncertain || row.isDeleted || (wasRestored && row.isSilent)
      ? []
      : [`the ledger names ${row.place}, where nothing stands`];
  const problems: string[] = [];
  // After a restore, later changes count as external: the author is notified, and the post is kept.
  // An account that is not connected cannot be checked.
  const isOutOfSight = !isConnected(facts, row.accountId);
  const isLeftAlone = wasRestored && (row.isFormer || isOutOfSight || row.delivery.errorCode === 'drifted');
  if (!row.isUncertain && !isLeftAlone && row.isWithdrawn === (post.status === 'published')) {
    problems.push(`the ledger has ${describe(post)} as ${row.isWithdrawn ? 'withdrawn' : 'live'}`);
  }
  const article = articles.find(({ id }) => id === row.delivery.articleId);
  if (row.isFormer || !article) return problems;
  const { state } = row.delivery;
  if (state === 'delivered' && post.title !== article.title) {
    problems.push(`delivered, but not as “${article.title}”: ${describe(post)}`);
  }
  if (article.status !== 'PUBLISHED' && post.status === 'published' && !['failed', 'unknown', 'held'].includes(state)) {
    problems.push(`its article is ${article.status}, and nobody was told of ${describe(post)} (${state})`);
  }
  return problems;
}

function listLedgerPosts(facts: Facts): LedgerPost[] {
  return facts.copies.flatMap((copy) => {
    const { destination } = facts.accounts.find(({ id }) => id === copy.accountId) ?? {};
    const delivery = facts.deliveries.find(
      (row) => row.articleId === copy.articleId && row.destination === destination,
    );
    return delivery && copy.remoteId !== null
      ? [toLedgerPost(facts, delivery, { ...copy, remoteId: copy.remoteId })]
      : [];
  });
}

function toLedgerPost(
  facts: Facts,
  delivery: LedgerPost['delivery'],
  { id, accountId, remoteId, presence }: Facts['copies'][number] & { remoteId: string },
): LedgerPost {
  const changes = facts.attempts.filter(({ copyId, wasSent }) => copyId === id && wasSent);
  const isUncertain =
    presence === 'uncertain' ||
    changes.some(
      ({ action, outcome, answer }) =>
        action !== 'create' && (outcome === null || (outcome === 'void' && answer === null)),
    ) ||
    // It was cut, and its repeat was rejected: the effect of the first request is unknown.
    (changes.at(-1)?.outcome === 'failed' && listSinceDone(changes).some(({ answer }) => answer?.kind === 'unknown')) ||
    // It was due to be repeated, and its account was disconnected first.
    (changes.at(-1)?.answer?.kind === 'unknown' && !isConnected(facts, accountId));
  return {
    place: `${delivery.destination} ${nameAccount(facts, accountId)} ${remoteId}`,
    accountId,
    isWithdrawn: presence === 'hidden' || presence === 'deleted',
    isDeleted: presence === 'deleted',
    isUncertain,
    delivery,
    isFormer: delivery.copyId !== id,
    isSilent: SILENT.has(delivery.destination),
  };
}

/**
 * Lists `canonical-URL destination account` of creates with an outcome that cannot be determined.
 */
function listAllowed(facts: Facts): Set<string> {
  const { attempts, deliveries, articles, accounts, baseUrl } = facts;
  const open = attempts.filter(({ action, endedAt }) => action === 'create' && endedAt === null);
  return new Set(
    open.flatMap(({ deliveryId, accountId, startedAt }) => {
      const delivery = deliveries.find(({ id }) => id === deliveryId);
      const article = articles.find(({ id }) => id === delivery?.articleId);
      const account = accounts.find(({ id }) => id === accountId);
      if (!delivery || !article || !account) return [];
      const canFind = findQuickDestination(account.platform as Platform)?.limits.canFind ?? false;
      if (canFind && isConnected(facts, accountId) && !isPassedOver(facts, { accountId, since: startedAt })) return [];
      return [`${baseUrl}/${article.slug} ${delivery.destination} ${nameAccount(facts, accountId)}`];
    }),
  );
}

const isConnected = ({ connections }: Facts, accountId: string) =>
  connections.some((one) => one.accountId === accountId && one.status === 'active');

const SILENT: ReadonlySet<string> = new Set(['blogsite_c', 'social_feed']);

/**
 * After a restore: whether the post is of an article that was not public in the backup at a
 * platform without look-up, or at an account that is not connected and can be looked up later.
 */
function isBeyondKnowing(facts: Facts, { platform, account, canonicalUrl }: SandboxPost): boolean {
  if (!facts.wasRestored) return false;
  if (SILENT.has(platform) && facts.lost.has(canonicalUrl ?? '')) return true;
  return !facts.connections.some(
    (one) => one.destination === platform && one.status === 'active' && nameAccount(facts, one.accountId) === account,
  );
}

/** Returns the sandbox's name of an account. */
function nameAccount({ accounts, identities }: Facts, accountId: string): string {
  const account = accounts.find(({ id }) => id === accountId);
  const names = identities.get(`${account?.platform} ${account?.identity}`);
  return names ? [...names].join(' or ') : `an account that was never connected (${account?.identity})`;
}

const nameOf = (post: { platform: string; account: string; remoteId: string }) => `${placeOf(post)} ${post.remoteId}`;
const placeOf = ({ platform, account }: { platform: string; account: string }) => `${platform} ${account}`;
const describe = (post: SandboxPost) => `${nameOf(post)} (${post.status}, “${post.title}”, ${post.canonicalUrl})`;

function listSinceDone(changes: Facts['attempts']): Facts['attempts'] {
  return changes.slice(changes.findLastIndex(({ answer }) => answer?.kind === 'done') + 1);
}
