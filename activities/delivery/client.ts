/** Opens a client for one call: the only place where a delivery's credential is decrypted. */
import { Context } from '@temporalio/activity';
import type { Changed } from '../../delivery/types.ts';
import type { Destination, DestinationClient, Failure } from '../../destinations/types.ts';
import { openConnection } from '../../store/connections/credentials.ts';
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
  const client = adapter.createClient({
    connection,
    signal: abortController.signal,
    timeoutMs: deps.httpTimeoutMs,
    now: deps.now,
    allowPrivate: deps.allowPrivate,
  });
  return call({ client, adapter, beginSending });
}
