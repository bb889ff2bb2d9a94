/** One attempt at a destination: made ready, marked in the ledger, sent, and judged as far as our own rows can judge it. */

import type { DeliveryAction } from '../../delivery/types.ts';
import type { DestinationClient, Outcome, RemotePost } from '../../destinations/types.ts';
import { beginAttempt, beginRepeat, isFormerPost, isRemotePostTaken } from '../../store/deliveries/attempts.ts';
import { recordWaiting } from '../../store/deliveries/record-failure.ts';
import { type DeliveryKey, type DeliveryPlan, planDelivery } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { type Changed, type Refused, refused, withClient } from './client.ts';
import { formatFor } from './format.ts';

const BUSY = 'Many large articles are being prepared at once; this one takes its turn a little later.';

/** An activity that lost this much time between its mark and its call was stopped; its attempt is being looked up by now. */
const STALE_MARK_MS = 3_000;

export type Trouble =
  | { kind: 'unknown' | 'unauthorised' | 'unavailable'; reason: string }
  | { kind: 'rateLimited'; retryAfterMs: number | null; reason: string }
  | { kind: 'drifted'; changedAt: string; reason: string }
  | Refused;

/** What was sent: the number of the attempt, and the publish request whose content it was. */
interface Sent {
  attempt: number;
  dispatch: number;
}

export type SendOutcome =
  /** `remote` is null after a withdrawal. */
  | ({ kind: 'done'; remote: RemotePost | null } & Sent)
  | (Trouble & Sent)
  /** Before anything was marked or sent: refused, or what a post needs could not be made ready. */
  | Trouble
  | Changed
  /** The account's rate limit is used up; nothing was sent. */
  | { kind: 'blocked'; forMs: number }
  /** Said by the workflow where no answer came from here. */
  | { kind: 'lost'; reason: string };

/** `expected` is what the workflow planned; where something else is due by now, nothing is sent. */
export async function send(deps: ActivityDeps, input: DeliveryKey & { expected: string }): Promise<SendOutcome> {
  const plan = await planDelivery(deps.db, input, deps.baseUrl);
  if (plan === null) return { kind: 'changed' };
  if (input.expected === 'repeat') {
    return plan.step.kind === 'reconcile' ? repeat(deps, plan, input) : { kind: 'changed' };
  }
  const { kind } = plan.step;
  if (kind !== input.expected || !isAction(kind)) return { kind: 'changed' };
  if (plan.connection && plan.connection.blockedForMs > 0) {
    const forMs = Math.ceil(plan.connection.blockedForMs);
    await recordWaiting(deps.db, plan.deliveryId, forMs);
    return { kind: 'blocked', forMs };
  }
  return attempt(deps, plan, kind, input);
}

function attempt(
  deps: ActivityDeps,
  plan: DeliveryPlan,
  action: DeliveryAction,
  input: DeliveryKey,
): Promise<SendOutcome> {
  return withClient(deps, plan, async (client, adapter): Promise<SendOutcome> => {
    const formatted = await formatFor(deps, adapter, plan.article);
    if (formatted === 'busy') return { kind: 'unavailable', reason: BUSY };
    if (formatted.refusal && action !== 'withdraw') return refused(formatted.refusal.code, formatted.refusal.message);
    const ready = await prepare(client, action, formatted.payload);
    if (ready.kind !== 'done') return ready;
    const { hash, revision, lookUp, dispatch, attempt: planned } = plan;
    // Kept only where the very same request may have to be sent once more.
    const payload = action === 'create' && adapter.limits.repeat !== null ? ready.value : null;
    const mark = { action, planned, connectionId: plan.connection?.id ?? '', hash, revision, lookUp, payload };
    const asked = performance.now();
    const number = await beginAttempt(deps.db, plan.deliveryId, mark);
    if (number === null) return { kind: 'changed' };
    const sent = { attempt: number, dispatch };
    if (performance.now() - asked > STALE_MARK_MS) {
      return { kind: 'unknown', reason: 'The attempt was interrupted before it was sent.', ...sent };
    }
    const outcome = await perform(client, action, plan, ready.value);
    if (outcome.kind !== 'done') return { ...outcome, ...sent };
    if (adapter.limits.repeat !== null && action === 'create' && outcome.value) {
      return madeBy(deps, plan, input, outcome.value, sent);
    }
    return { kind: 'done', remote: outcome.value, ...sent };
  });
}

/** One identical repeat, where the platform answers it with the post that the first one made. */
function repeat(deps: ActivityDeps, plan: DeliveryPlan, input: DeliveryKey): Promise<SendOutcome> {
  return withClient(deps, plan, async (client, adapter): Promise<SendOutcome> => {
    const sent = { attempt: plan.attempt, dispatch: plan.dispatch };
    const withinMs = adapter.limits.repeat?.withinMs ?? 0;
    const first = await beginRepeat(deps.db, plan.deliveryId, { planned: plan.attempt, withinMs });
    if (first === null) return { kind: 'changed' };
    const outcome = await client.create(first.payload);
    if (outcome.kind === 'done') return madeBy(deps, plan, input, outcome.value, sent);
    return { ...outcome, ...sent };
  });
}

/**
 * A platform that answers with the post it takes ours for a duplicate of may mean one that was deleted, or another
 * article's: neither is this one.
 */
async function madeBy(
  { db }: ActivityDeps,
  { authorId, deliveryId, article }: DeliveryPlan,
  { destination }: DeliveryKey,
  remote: RemotePost,
  sent: Sent,
): Promise<SendOutcome> {
  const { remoteId } = remote;
  if (await isFormerPost(db, deliveryId, remoteId)) {
    const reason = `The destination still takes “${article.title}” for a duplicate of the post that was deleted. Publish again in a day or two, or with another text.`;
    return { ...refused('duplicate_of_deleted', reason), ...sent };
  }
  if (await isRemotePostTaken(db, { authorId, destination, remoteId, exceptDeliveryId: deliveryId })) {
    const reason = `The destination takes this for a duplicate of another article’s post: ${remote.url}`;
    return { ...refused('duplicate_of_other', reason), ...sent };
  }
  return { kind: 'done', remote, ...sent };
}

/** What made no post cannot leave one behind: whatever became of it, it is done again. */
async function prepare(
  client: DestinationClient<unknown>,
  action: DeliveryAction,
  payload: unknown,
): Promise<Trouble | { kind: 'done'; value: unknown }> {
  if (action === 'withdraw' || !client.prepare) return { kind: 'done', value: payload };
  const ready = await client.prepare(payload);
  return ready.kind === 'unknown' ? { kind: 'unavailable', reason: ready.reason } : ready;
}

function perform(
  client: DestinationClient<unknown>,
  action: DeliveryAction,
  { remoteId, unchangedSince }: DeliveryPlan,
  payload: unknown,
): Promise<Outcome<RemotePost | null>> {
  if (action === 'create') return client.create(payload);
  if (remoteId === null) throw new Error(`a delivery without a remote post cannot ${action}`);
  return action === 'update' ? client.update(remoteId, payload, unchangedSince) : client.withdraw(remoteId);
}

function isAction(kind: string): kind is DeliveryAction {
  return kind === 'create' || kind === 'update' || kind === 'withdraw';
}
