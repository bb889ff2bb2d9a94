/**
 * The calls to destinations: one HTTP exchange each, never repeated by Temporal. Credentials are opened here and live as
 * long as the call; what comes back holds ids, addresses and a sentence.
 */
import { Context } from '@temporalio/activity';
import type { Destination, DestinationClient, Outcome, Platform, RemotePost } from '../destinations/types.ts';
import { openConnection } from '../store/connections.ts';
import {
  beginAttempt,
  type DeliveryKey,
  type DeliveryPlan,
  isRemotePostTaken,
  planDelivery,
} from '../store/deliveries.ts';
import { SealError } from '../store/sealing.ts';
import type { DeliveryAction } from '../store/types.ts';
import type { ActivityDeps } from './deps.ts';
import { formatFor } from './format.ts';

/** An activity that lost this much time between its mark and its call was stopped; its attempt is being looked up by now. */
const STALE_MARK_MS = 3_000;
const HEARTBEAT_MS = 1_500;

type Refused = { kind: 'rejected'; code: string; reason: string; maybeSaved?: boolean };
/** The plan is another one by now (edited, disconnected); nothing was sent. */
type Changed = { kind: 'changed' };

type Trouble =
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
  /** Refused before anything was marked or sent. */
  | Refused
  | Changed
  /** The account's rate limit is used up; nothing was sent. */
  | { kind: 'blocked'; forMs: number }
  /** Said by the workflow where no answer came from here. */
  | { kind: 'lost'; reason: string };

export type LookUpOutcome = { kind: 'done'; value: RemotePost | null } | Changed | Trouble;

export function outsideActivities(deps: ActivityDeps) {
  /** Runs `call` with an opened connection, if it still is the planned one. */
  async function withClient<T>(
    plan: DeliveryPlan,
    call: (client: DestinationClient<unknown>, adapter: Destination) => Promise<T>,
  ): Promise<T | Refused | Changed> {
    const adapter = plan.connection && deps.destinationFor(plan.connection.platform as Platform);
    if (!plan.connection || !adapter) return { kind: 'changed' };
    let connection: Awaited<ReturnType<typeof openConnection>>;
    try {
      connection = await openConnection(deps.db, deps.sealer, plan.connection.id);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      return refused('credential_unreadable', `Reconnect the destination: ${error.message}.`);
    }
    if (connection?.generation !== plan.connection.generation) return { kind: 'changed' };
    const client = adapter.createClient({
      connection,
      signal: Context.current().cancellationSignal,
      timeoutMs: deps.httpTimeoutMs,
      now: deps.now,
      allowPrivate: deps.allowPrivate,
    });
    return call(client, adapter);
  }

  async function send(input: DeliveryKey & { expected: string }): Promise<SendOutcome> {
    const plan = await planDelivery(deps.db, input, deps.baseUrl);
    if (plan?.step.kind !== input.expected || !isAction(plan.step.kind)) return { kind: 'changed' };
    if (plan.connection && plan.connection.blockedForMs > 0) {
      return { kind: 'blocked', forMs: Math.ceil(plan.connection.blockedForMs) };
    }
    const action = plan.step.kind;
    return withClient(plan, async (client, adapter): Promise<SendOutcome> => {
      const { payload, refusal } = formatFor(adapter, plan.article);
      if (refusal && action !== 'withdraw') return refused(refusal.code, refusal.message);
      const { hash, revision, lookUp, dispatch, attempt: planned } = plan;
      const mark = { action, planned, connectionId: plan.connection?.id ?? '', hash, revision, lookUp };
      const asked = performance.now();
      const attempt = await beginAttempt(deps.db, plan.deliveryId, mark);
      if (attempt === null) return { kind: 'changed' };
      if (performance.now() - asked > STALE_MARK_MS) {
        return { kind: 'unknown', reason: 'The attempt was interrupted before it was sent.', attempt, dispatch };
      }
      const outcome = await perform(client, action, plan.remoteId, payload);
      if (outcome.kind === 'done') return { kind: 'done', remote: outcome.value, attempt, dispatch };
      return { ...outcome, attempt, dispatch };
    });
  }

  async function lookUp(input: DeliveryKey): Promise<LookUpOutcome> {
    const plan = await planDelivery(deps.db, input, deps.baseUrl);
    if (!plan) return refused('article_gone', 'The article was deleted.');
    return withClient(plan, async (client): Promise<LookUpOutcome> => {
      const found = await client.find(plan.lookUp);
      if (found.kind !== 'done' || found.value === null) return found;
      const { authorId, deliveryId: exceptDeliveryId } = plan;
      const post = { authorId, destination: input.destination, remoteId: found.value.remoteId, exceptDeliveryId };
      return (await isRemotePostTaken(deps.db, post)) ? { kind: 'done', value: null } : found;
    });
  }

  async function probe(input: DeliveryKey): Promise<{ kind: string }> {
    const plan = await planDelivery(deps.db, input, deps.baseUrl);
    if (!plan) return { kind: 'rejected' };
    const outcome = await withClient(plan, (client) => client.probe());
    return { kind: outcome.kind };
  }

  return {
    /** Creates, updates or withdraws, if that is still what is due. Marks the row first: see `beginAttempt`. */
    sendDelivery: (input: DeliveryKey & { expected: string }) => pulsing(() => send(input)),
    /**
     * Looks for the post that an attempt may have made; `value: null` means that the destination does not list it now, or
     * that it belongs to another article of this author.
     */
    lookUpDelivery: (input: DeliveryKey) => pulsing(() => lookUp(input)),
    /** Is the credential good by now? */
    probeConnection: (input: DeliveryKey) => pulsing(() => probe(input)),
  };
}

/** Heartbeats from the first moment: a worker that is lost before its first query is noticed as soon as one that is lost later. */
async function pulsing<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const pulse = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(pulse);
  }
}

function perform(
  client: DestinationClient<unknown>,
  action: DeliveryAction,
  remoteId: string | null,
  payload: unknown,
): Promise<Outcome<RemotePost | null>> {
  if (action === 'create') return client.create(payload);
  if (remoteId === null) throw new Error(`a delivery without a remote post cannot ${action}`);
  return action === 'update' ? client.update(remoteId, payload) : client.withdraw(remoteId);
}

function isAction(kind: string): kind is DeliveryAction {
  return kind === 'create' || kind === 'update' || kind === 'withdraw';
}

function refused(code: string, reason: string): Refused {
  return { kind: 'rejected', code, reason };
}
