/**
 * One event per outcome. What is an outcome, and what tells of it (`dedupe_key` in brackets):
 *
 * - an attempt that ended as `delivered`: one CROSS_POST_SUCCESS [delivery:…]; or, where its account had been left before its answer came, the
 *   one CROSS_POST_FAILED that names what was left there [left:…]
 * - an attempt that ended as `failed`: one CROSS_POST_FAILED with its reason [delivery:…]
 * - a create whose outcome stays unknown: one CROSS_POST_FAILED [unknown:<delivery>:<number>]
 * - a credential that was refused twice: one CROSS_POST_FAILED for the connection, so at most one per credential that was given [delivery:…]
 * - a withdrawal that the platform cannot do: one CROSS_POST_FAILED per publish request [delivery:…]
 *
 * Nothing else makes an event: not an attempt that is tried again, was absent, adopted, void, or withdrew a copy.
 */
import type { Facts } from './facts.ts';

export function checkEvents(facts: Facts): string[] {
  return [...facts.deliveries.flatMap((delivery) => checkDelivery(facts, delivery)), ...checkCredentials(facts)];
}

type Delivery = Facts['deliveries'][number];
type Notification = Facts['notifications'][number];

function checkDelivery(facts: Facts, delivery: Delivery): string[] {
  const article = facts.articles.find(({ id }) => id === delivery.articleId);
  const where = `${article?.slug} at ${delivery.destination}`;
  const events = facts.notifications.filter((event) => isAbout(event, delivery, article?.slug ?? ''));
  const attempts = facts.attempts.filter(({ deliveryId }) => deliveryId === delivery.id);
  const successes = events.filter(({ type }) => type === 'CROSS_POST_SUCCESS').length;
  const moves = events.filter(({ dedupeKey }) => /^(?:left|account-changed):/.test(dedupeKey)).length;
  const delivered = attempts.filter(({ outcome }) => outcome === 'delivered').length;
  const problems: string[] = [];
  if (successes > delivered || successes < delivered - moves) {
    problems.push(
      `${where}: ${delivered} attempts delivered (${moves} changes of account), ${successes} successes told`,
    );
  }
  const refusals = events.filter(isRefusal).map(readReason);
  for (const reason of new Set(attempts.filter(({ outcome }) => outcome === 'failed').map((one) => one.reason ?? ''))) {
    const failed = attempts.filter((one) => one.outcome === 'failed' && one.reason === reason).length;
    const told = refusals.filter((one) => one === reason).length;
    if (told !== failed) problems.push(`${where}: failed ${failed} times, told ${told} times: ${reason}`);
  }
  return [...problems, ...checkState(delivery, where, { events, attempts, moves, successes })];
}

function checkState(
  delivery: Delivery,
  where: string,
  told: { events: Notification[]; attempts: Facts['attempts']; moves: number; successes: number },
): string[] {
  const { state, accountId, lastErrorCode } = delivery;
  const failures = told.events.filter(({ type }) => type === 'CROSS_POST_FAILED');
  if (state === 'delivered' && told.successes === 0 && told.moves === 0)
    return [`${where}: delivered, and nobody was told`];
  if (state === 'failed' && lastErrorCode !== 'skipped' && failures.length === 0) {
    return [`${where}: failed (${lastErrorCode}), and nobody was told`];
  }
  if (state !== 'unknown') return [];
  const open = told.attempts.filter(
    (one) => one.endedAt === null && one.accountId === accountId && one.action === 'create',
  );
  return open.flatMap(({ number }) => {
    const key = `unknown:${delivery.id}:${number}`;
    const count = failures.filter(({ dedupeKey }) => dedupeKey === key).length;
    return count === 1 ? [] : [`${where}: attempt ${number} is unknown, told ${count} times`];
  });
}

/** Refusals that no attempt accounts for: of credentials, and of withdrawals that the platform cannot do. */
function checkCredentials(facts: Facts): string[] {
  const destinations = new Set(facts.deliveries.map(({ destination }) => destination));
  return [...destinations].flatMap((destination) => {
    const deliveries = facts.deliveries.filter((one) => one.destination === destination);
    const rows = new Set(deliveries.map(({ id }) => id));
    const failed = facts.attempts.filter((one) => one.outcome === 'failed' && rows.has(one.deliveryId));
    const reasons = new Set(failed.map(({ reason }) => reason));
    const refusals = facts.notifications.filter(
      (event) =>
        isRefusal(event) && readPlatform(event) === destination.toUpperCase() && !reasons.has(readReason(event)),
    );
    const dispatches = deliveries.reduce(
      (total, { articleId }) => total + (facts.articles.find(({ id }) => id === articleId)?.dispatch ?? 0),
      0,
    );
    const most = dispatches + (facts.credentials.get(destination) ?? 0);
    return refusals.length <= most
      ? []
      : [
          `${destination}: ${refusals.length} refusals told, which no more than ${most} publishes and credentials explain`,
        ];
  });
}

const isRefusal = ({ type, dedupeKey }: Notification) =>
  type === 'CROSS_POST_FAILED' && dedupeKey.startsWith('delivery:');

/** Versions of one article differ in their titles: `Walk 3 version 7`. */
function isAbout(event: Notification, { destination }: Delivery, slug: string): boolean {
  const { postTitle, platform } = event.payload as { postTitle: string; platform: string };
  const number = slug === 'first-post' ? '0' : slug.replace('walk-', '');
  return platform === destination.toUpperCase() && postTitle.startsWith(`Walk ${number} version`);
}

const readReason = ({ payload }: Notification) => String((payload as { reason?: string }).reason ?? '');
const readPlatform = ({ payload }: Notification) => String((payload as { platform?: string }).platform ?? '');
