/**
 * One attempt at a destination: prepared, marked in the ledger and sent. It answers facts, with what only the rows can tell (a mark that came
 * too late, a duplicate of another post); what they mean is decided in `delivery/resolve-attempt`.
 */
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import type { AttemptStep, DeliveryAction, SendOutcome, Step } from '../../delivery/types.ts';
import type { DestinationClient, Failure, Outcome, RemotePost } from '../../destinations/types.ts';
import { isFormerPost, isRemotePostTaken, markAttempt, markRepeat } from '../../store/deliveries/attempts.ts';
import type { DeliveryKey } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { withClient } from './client.ts';
import { formatFor } from './format.ts';
import { type DeliveryPlan, planDelivery } from './plan.ts';
import { waitInLine, withPlace } from './slots.ts';

const BUSY = 'Many large articles are being prepared at once; this one is tried again a little later.';

/** `expected` is what the workflow planned; where something else is due by now, nothing is sent. */
export async function send(deps: ActivityDeps, input: DeliveryKey & { expected: string }): Promise<SendOutcome> {
  const plan = await planDelivery(deps, input);
  if (plan === null) return { kind: 'changed' };
  return withPlace(deps, { deliveryId: plan.situation.delivery.id, adapter: plan.adapter }, () =>
    sendPlanned(deps, plan, input),
  );
}

async function sendPlanned(
  deps: ActivityDeps,
  plan: DeliveryPlan,
  input: DeliveryKey & { expected: string },
): Promise<SendOutcome> {
  const { step, adapter } = plan;
  if (input.expected === 'repeat') return step.kind === 'reconcile' ? repeat(deps, plan, input) : { kind: 'changed' };
  if (step.kind !== input.expected || !isAction(step)) return { kind: 'changed' };
  // Blocked since it was planned: a slot behind the block.
  const forMs = plan.blockedForMs > 0 ? await waitInLine(deps, step, adapter) : 0;
  return forMs > 0 ? { kind: 'blocked', forMs } : attempt(deps, plan, step.kind, input);
}

function attempt(
  deps: ActivityDeps,
  plan: DeliveryPlan,
  action: DeliveryAction,
  input: DeliveryKey,
): Promise<SendOutcome> {
  return withClient(deps, plan, async (client, adapter, connectionId): Promise<SendOutcome> => {
    const formatted = await formatFor(deps, adapter, plan);
    if (formatted === 'busy') return { kind: 'unavailable', reason: BUSY };
    if (formatted.refusal && action !== 'withdraw') return reject(formatted.refusal.code, formatted.refusal.message);
    const prepared = await prepare(client, action, formatted.payload);
    if (prepared.kind !== 'done') return prepared;
    const { revision, lookUp, situation } = plan;
    const { article, delivery } = situation;
    // Kept only where the very same request may have to be sent once more.
    const payload = action === 'create' && adapter.limits.repeat !== null ? prepared.value : null;
    const mark = { action, planned: delivery.attempt, connectionId, hash: article.hash };
    const asked = performance.now();
    const number = await markAttempt(deps.db, delivery.id, { ...mark, revision, lookUp, payload });
    if (number === null) return { kind: 'changed' };
    const sent = { attempt: number, dispatch: article.dispatch };
    if (performance.now() - asked > TIMEOUTS.staleMarkMs) {
      return { kind: 'unknown', reason: 'The attempt was interrupted before it was sent.', ...sent };
    }
    const outcome = await perform(client, action, plan, prepared.value);
    if (outcome.kind !== 'done') return { ...outcome, ...sent };
    if (adapter.limits.repeat !== null && action === 'create' && outcome.value) {
      return checkDuplicate(deps, plan, input, outcome.value, sent);
    }
    return { kind: 'done', remote: outcome.value, ...sent };
  });
}

/** One identical repeat, where the platform answers it with the post that the first one made. */
function repeat(deps: ActivityDeps, plan: DeliveryPlan, input: DeliveryKey): Promise<SendOutcome> {
  return withClient(deps, plan, async (client, adapter): Promise<SendOutcome> => {
    const { article, delivery } = plan.situation;
    const sent = { attempt: delivery.attempt, dispatch: article.dispatch };
    const withinMs = adapter.limits.repeat?.withinMs ?? 0;
    const first = await markRepeat(deps.db, delivery.id, { planned: delivery.attempt, withinMs });
    if (first === null) return { kind: 'changed' };
    const outcome = await client.create(first.payload);
    if (outcome.kind === 'done') return checkDuplicate(deps, plan, input, outcome.value, sent);
    return { ...outcome, ...sent };
  });
}

/**
 * A platform that answers with the post it takes ours for a duplicate of may mean one that was deleted, or another
 * article's: neither is this one.
 */
async function checkDuplicate(
  { db }: ActivityDeps,
  { authorId, situation, article }: DeliveryPlan,
  { destination }: DeliveryKey,
  remote: RemotePost,
  sent: { attempt: number; dispatch: number },
): Promise<SendOutcome> {
  const { remoteId } = remote;
  const { id: deliveryId } = situation.delivery;
  if (await isFormerPost(db, deliveryId, remoteId)) {
    const reason = `The destination still takes “${article.title}” for a duplicate of the post that was deleted. Publish again in a day or two, or with another text.`;
    return { ...reject('duplicate_of_deleted', reason), ...sent };
  }
  if (await isRemotePostTaken(db, { authorId, destination, remoteId, exceptDeliveryId: deliveryId })) {
    const reason = `The destination takes this for a duplicate of another article’s post: ${remote.url}`;
    return { ...reject('duplicate_of_other', reason), ...sent };
  }
  return { kind: 'done', remote, ...sent };
}

/** Preparing makes no post, so one of unknown outcome is simply repeated. */
async function prepare(
  client: DestinationClient<unknown>,
  action: DeliveryAction,
  payload: unknown,
): Promise<Failure | { kind: 'done'; value: unknown }> {
  if (action === 'withdraw' || !client.prepare) return { kind: 'done', value: payload };
  const prepared = await client.prepare(payload);
  return prepared.kind === 'unknown' ? { kind: 'unavailable', reason: prepared.reason } : prepared;
}

function perform(
  client: DestinationClient<unknown>,
  action: DeliveryAction,
  { situation, unchangedSince }: DeliveryPlan,
  payload: unknown,
): Promise<Outcome<RemotePost | null>> {
  if (action === 'create') return client.create(payload);
  const { remoteId } = situation.delivery;
  if (remoteId === null) throw new Error(`a delivery without a remote post cannot ${action}`);
  return action === 'update' ? client.update(remoteId, payload, unchangedSince) : client.withdraw(remoteId);
}

function isAction(step: Step): step is AttemptStep & { kind: DeliveryAction } {
  const { kind } = step;
  return kind === 'create' || kind === 'update' || kind === 'withdraw';
}

function reject(code: string, reason: string): Extract<Failure, { kind: 'rejected' }> {
  return { kind: 'rejected', code, reason };
}
