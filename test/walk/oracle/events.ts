/**
 * Checks one event per outcome. The outcomes with their events (`dedupe_key` in brackets):
 *
 * - an attempt that ended as `delivered`: one CROSS_POST_SUCCESS [attempt:<id>]
 * - an attempt that ended as `failed`: one CROSS_POST_FAILED [attempt:<id>, or
 *   gave-up:<delivery>:<dispatch>]; none if the platform cannot update, which the publish reported
 *   as a warning
 * - a create with an outcome that stays unknown: one CROSS_POST_FAILED per publish
 *   [attempt:<id>:unknown:<dispatch>], unless another account was connected meanwhile
 * - a credential that was rejected twice: one CROSS_POST_FAILED, so at most one per entered
 *   credential [refused:<connection>:<version>]
 *
 * Other attempts have no event: those that are retried, absent, adopted, void, or withdrew a copy.
 */
import type { Facts } from './facts.ts';

export function checkEvents(facts: Facts): string[] {
  return [
    ...facts.attempts.flatMap((attempt) => checkAttempt(facts, attempt)),
    ...facts.deliveries.flatMap((delivery) => checkUnknown(facts, delivery)),
    ...listOutcomes(facts).flatMap((event) => checkEvent(facts, event)),
    ...checkCredentials(facts),
  ];
}

type Attempt = Facts['attempts'][number];
type Notification = Facts['notifications'][number];

const TYPES = { delivered: 'CROSS_POST_SUCCESS', failed: 'CROSS_POST_FAILED' } as const;

const listOutcomes = ({ notifications }: Facts) => notifications.filter(({ type }) => type.startsWith('CROSS_POST_'));

function checkAttempt(facts: Facts, { id, deliveryId, dispatch, outcome, code, wasSent }: Attempt): string[] {
  if (outcome !== 'delivered' && outcome !== 'failed') return [];
  const keys = [`attempt:${id}`];
  if (code === 'gave_up') keys.push(`gave-up:${deliveryId}:${dispatch}`);
  const count = listOutcomes(facts).filter(
    ({ type, dedupeKey }) => type === TYPES[outcome] && keys.includes(dedupeKey),
  ).length;
  const expected = code === 'cannot_update' && !wasSent ? 0 : 1;
  return count === expected ? [] : [`attempt ${id} ended as ${outcome} (${code}), told ${count} times`];
}

/**
 * Checks that every event belongs to an attempt with that outcome, to a create of unknown outcome,
 * or to a rejected credential.
 */
function checkEvent({ attempts }: Facts, { type, dedupeKey }: Notification): string[] {
  const [kind, id, suffix] = dedupeKey.split(':');
  if (kind === 'refused' || kind === 'gave-up') return [];
  const attempt = attempts.find((candidate) => candidate.id === id);
  const isExplained =
    kind === 'attempt' &&
    (suffix === 'unknown' ? attempt?.action === 'create' : TYPES[attempt?.outcome as keyof typeof TYPES] === type);
  return isExplained ? [] : [`${type} ${dedupeKey} tells of an attempt that is ${attempt?.outcome ?? 'open or gone'}`];
}

function checkUnknown(
  facts: Facts,
  { id, state, openId, accountId, destination }: Facts['deliveries'][number],
): string[] {
  const open = facts.attempts.find((attempt) => attempt.id === openId);
  if (state !== 'unknown' || !open || isPassedOver(facts, { accountId, since: open.startedAt })) return [];
  const keys = [`attempt:${openId}:unknown:`, `gave-up:${id}:`];
  const hasEvent = listOutcomes(facts).some(({ dedupeKey }) => keys.some((key) => dedupeKey.startsWith(key)));
  return hasEvent ? [] : [`${destination}: attempt ${openId} is unknown, and nobody was told`];
}

/**
 * Whether the account was connected again after `since`. Another account may have been connected
 * before that, so the attempt was neither looked up nor reported.
 */
export function isPassedOver(
  { accounts }: Facts,
  { accountId, since }: { accountId: string | null; since: Date },
): boolean {
  const connectedAt = accounts.find(({ id }) => id === accountId)?.connectedAt;
  return connectedAt !== undefined && connectedAt !== null && connectedAt > since;
}

function checkCredentials(facts: Facts): string[] {
  const refusals = listOutcomes(facts).filter(({ dedupeKey }) => dedupeKey.startsWith('refused:'));
  const byPlatform = Map.groupBy(refusals, ({ payload }) => String((payload as { platform?: string }).platform));
  return [...byPlatform].flatMap(([platform, { length: count }]) => {
    const maxEvents = facts.credentials.get(platform.toLowerCase()) ?? 0;
    return count <= maxEvents ? [] : [`${platform}: ${count} refusals told, of ${maxEvents} credentials`];
  });
}
