/** Opens a client for one call: the only place where a delivery's credential is decrypted. */
import { Context, log } from '@temporalio/activity';
import type { Changed } from '../../delivery/types.ts';
import type { Destination, DestinationClient, Failure } from '../../destinations/types.ts';
import { openConnection } from '../../store/connections/credentials.ts';
import { blockConnection } from '../../store/connections/rate-budget.ts';
import { SealError } from '../../store/secrets/sealing.ts';
import type { ActivityDeps } from '../deps.ts';
import type { DeliveryPlan } from './plan.ts';

/** For the author; it does not mention the operator's keys. */
export const UNREADABLE_CREDENTIAL_MESSAGE =
  'The stored credential can no longer be read. Reconnect the destination and enter the credential again.';

export interface OpenClient {
  client: DestinationClient<unknown>;
  adapter: Destination;
  /**
   * Call it directly before sending. False: the activity is cancelled and must not send. True: from
   * now on only the client's time-out ends its calls, because an aborted call has an unknown
   * outcome.
   */
  beginSending(): boolean;
}

/** Runs `call` if the connection is still the planned one. */
export async function withClient<T>(
  deps: ActivityDeps,
  { adapter, situation: { connection: planned } }: DeliveryPlan,
  call: (open: OpenClient) => Promise<T>,
): Promise<T | Failure | Changed> {
  if (!planned || !adapter) return { kind: 'changed' };
  let connection: Awaited<ReturnType<typeof openConnection>>;
  try {
    connection = await openConnection(deps.db, deps.sealer, planned.id);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return { kind: 'rejected', code: 'credential_unreadable', reason: UNREADABLE_CREDENTIAL_MESSAGE };
  }
  if (connection?.version !== planned.version) return { kind: 'changed' };
  const { cancellationSignal } = Context.current();
  const abortController = new AbortController();
  let isSending = false;
  const abortUnlessSending = () => {
    if (!isSending) abortController.abort();
  };
  if (cancellationSignal.aborted) abortUnlessSending();
  cancellationSignal.addEventListener('abort', abortUnlessSending, { once: true });
  const beginSending = () => {
    isSending = !cancellationSignal.aborted;
    return isSending;
  };
  let pauseMs = 0;
  const client = adapter.createClient({
    connection,
    signal: abortController.signal,
    timeoutMs: deps.httpTimeoutMs,
    now: deps.now,
    allowPrivate: deps.allowPrivate,
    onPause: (ms) => {
      pauseMs = Math.max(pauseMs, ms);
    },
  });
  const outcome = await call({ client, adapter, beginSending });
  // The destination reported a used-up budget without a refusal, so all slots of the account are
  // moved.
  if (pauseMs > 0 && deps.pacing) await pause(deps, planned.id, pauseMs);
  return outcome;
}

/** Never throws: a lost pause costs at most a 429, whereas the known outcome must not be lost. */
async function pause({ db }: ActivityDeps, connectionId: string, ms: number): Promise<void> {
  try {
    await blockConnection(db, connectionId, ms);
  } catch (error) {
    log.warn('could not store the pause that a destination requires', { connectionId, ms, err: error });
  }
}
