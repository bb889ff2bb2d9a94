/** Compares the posts at the destinations with the recorded copies. */

import type { Platform } from '../../../destinations/types.ts';
import { findQuickDestination } from '../quick-destinations.ts';
import { formatAccountKey, formatPostKey, type SandboxPost } from '../world.ts';
import { isPassedOver } from './events.ts';
import type { Facts } from './facts.ts';

/** Checks that posts of other origin are unchanged: only their authors may change them. */
export function checkForeignPosts({ handMade, posts, log }: Facts): string[] {
  const current = new Map(posts.filter(({ byHand }) => byHand).map((post) => [formatPostKey(post), post]));
  const changed = handMade.flatMap((before) => {
    const after = current.get(formatPostKey(before));
    return JSON.stringify(after) === JSON.stringify(before)
      ? []
      : [`a post made by hand was changed: ${formatPostKey(before)} is ${JSON.stringify(after ?? 'gone')}`];
  });
  const foreign = new Set(handMade.map(formatPostKey));
  const touched = log.filter((entry) => foreign.has(formatPostKey(entry)));
  return [
    ...changed,
    ...touched.map((entry) => `the log has ${entry.action} of a post made by hand: ${formatPostKey(entry)}`),
  ];
}

/** Checks that an article has at most one post at an account, including hidden ones. */
export function checkDoubles(facts: Facts): string[] {
  const names = new Map<string, string[]>();
  for (const post of facts.posts.filter((candidate) => !candidate.byHand && !isUnknowable(facts, candidate))) {
    const articleAtAccount = `${post.canonicalUrl} at ${post.platform} ${post.account}`;
    names.set(articleAtAccount, [
      ...(names.get(articleAtAccount) ?? []),
      `${post.remoteId} (${post.status}, “${post.title}”)`,
    ]);
  }
  return [...names]
    .filter(([, ids]) => ids.length > 1)
    .map(([articleAtAccount, ids]) => `${ids.length} posts of ${articleAtAccount}: ${ids.join(', ')}`);
}

/** Checks that each identity has one account and each account has one identity. */
export function checkIdentities({ identities }: Facts): string[] {
  const shared = [...identities].filter(([, accounts]) => accounts.size > 1);
  const seen = new Map<string, string[]>();
  for (const [identity, accounts] of identities) {
    for (const account of accounts) seen.set(account, [...(seen.get(account) ?? []), identity]);
  }
  const doubled = [...seen].filter(([, known]) => known.length > 1);
  return [
    ...shared.map(([identity, accounts]) => `“${identity}” stands for ${[...accounts].join(' and ')}`),
    ...doubled.map(([account, known]) => `${account} is known as ${known.join(' and ')}`),
  ];
}

interface LedgerPost {
  key: string;
  accountId: string;
  isWithdrawn: boolean;
  isDeleted: boolean;
  /** The outcome of a change is unknown, so both statuses are valid. */
  isUncertain: boolean;
  delivery: Facts['deliveries'][number];
  isFormer: boolean;
  /** The platform has no look-up. */
  hasNoLookUp: boolean;
}

/**
 * Checks that our posts are exactly the recorded copies at all accounts. Open creates that cannot
 * be looked up may have further posts: at a platform without look-up, or at an account that is not
 * connected.
 */
export function checkLedger(facts: Facts): string[] {
  const ledger = listLedgerPosts(facts);
  const recorded = new Map(ledger.map((post) => [post.key, post]));
  const ours = facts.posts.filter((post) => !post.byHand && !isUnknowable(facts, post));
  const allowed = listAllowed(facts);
  const unrecorded = ours.filter(
    (post) =>
      !recorded.has(formatPostKey(post)) &&
      !facts.uncompared.has(formatPostKey(post)) &&
      !allowed.has(`${post.canonicalUrl} ${formatAccountKey(post)}`),
  );
  const postsByName = new Map(facts.posts.map((post) => [formatPostKey(post), post]));
  return [
    ...unrecorded.map((post) => `the ledger does not name ${describePost(post)}`),
    ...ledger.flatMap((row) => compare(facts, row, postsByName.get(row.key))),
  ];
}

function compare(facts: Facts, row: LedgerPost, post: SandboxPost | undefined): string[] {
  const { articles, wasRestored, uncompared } = facts;
  if (uncompared.has(row.key)) return [];
  if (!post)
    return row.isUncertain || row.isDeleted || (wasRestored && row.hasNoLookUp)
      ? []
      : [`the ledger names ${row.key}, where nothing stands`];
  const problems: string[] = [];
  // After a restore, changes that are newer than the backup count as external and are not
  // overwritten. Accounts that are not connected are not compared.
  const isUnreadable = !isConnected(facts, row.accountId);
  const mayDiffer = wasRestored && (row.isFormer || isUnreadable || row.delivery.errorCode === 'drifted');
  if (!row.isUncertain && !mayDiffer && row.isWithdrawn === (post.status === 'published')) {
    problems.push(`the ledger has ${describePost(post)} as ${row.isWithdrawn ? 'withdrawn' : 'live'}`);
  }
  const article = articles.find(({ id }) => id === row.delivery.articleId);
  if (row.isFormer || !article) return problems;
  const { state } = row.delivery;
  if (state === 'delivered' && post.title !== article.title) {
    problems.push(`delivered, but not as “${article.title}”: ${describePost(post)}`);
  }
  if (article.status !== 'PUBLISHED' && post.status === 'published' && !['failed', 'unknown', 'held'].includes(state)) {
    problems.push(`its article is ${article.status}, and nobody was told of ${describePost(post)} (${state})`);
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
    // The first request had no response and its repeat was rejected, so its effect is unknown.
    (changes.at(-1)?.outcome === 'failed' && listSinceDone(changes).some(({ answer }) => answer?.kind === 'unknown')) ||
    // The account was disconnected before the request could be repeated.
    (changes.at(-1)?.answer?.kind === 'unknown' && !isConnected(facts, accountId));
  return {
    key: `${delivery.destination} ${nameAccount(facts, accountId)} ${remoteId}`,
    accountId,
    isWithdrawn: presence === 'hidden' || presence === 'deleted',
    isDeleted: presence === 'deleted',
    isUncertain,
    delivery,
    isFormer: delivery.copyId !== id,
    hasNoLookUp: WITHOUT_LOOK_UP.has(delivery.destination),
  };
}

/** Lists creates of undeterminable outcome, as `canonical-URL destination account`. */
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
  connections.some((connection) => connection.accountId === accountId && connection.status === 'active');

const WITHOUT_LOOK_UP: ReadonlySet<string> = new Set(['blogsite_c', 'social_feed']);

/**
 * Whether the database cannot know a post after a restore: its account is not connected; or the
 * platform has no look-up, and its article was not public in the backup or its account not compared.
 */
function isUnknowable(facts: Facts, post: SandboxPost): boolean {
  const { platform, account, canonicalUrl } = post;
  if (!facts.wasRestored) return false;
  const isLost = facts.lost.has(canonicalUrl ?? '') || facts.uncompared.has(formatPostKey(post));
  if (WITHOUT_LOOK_UP.has(platform) && isLost) return true;
  return !facts.connections.some(
    (connection) =>
      connection.destination === platform &&
      connection.status === 'active' &&
      nameAccount(facts, connection.accountId) === account,
  );
}

/** Returns the sandbox's name of an account. */
function nameAccount({ accounts, identities }: Facts, accountId: string): string {
  const account = accounts.find(({ id }) => id === accountId);
  const names = identities.get(`${account?.platform} ${account?.identity}`);
  return names ? [...names].join(' or ') : `an account that was never connected (${account?.identity})`;
}

const describePost = (post: SandboxPost) =>
  `${formatPostKey(post)} (${post.status}, “${post.title}”, ${post.canonicalUrl})`;

function listSinceDone(changes: Facts['attempts']): Facts['attempts'] {
  return changes.slice(changes.findLastIndex(({ answer }) => answer?.kind === 'done') + 1);
}
