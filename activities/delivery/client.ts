/** A client with an opened credential, for one call: the only place where a delivery's credential is in the clear. */
import { Context, log } from '@temporalio/activity';
import type { Changed } from '../../delivery/types.ts';
import type { Destination, DestinationClient, Failure } from '../../destinations/types.ts';
import { openConnection } from '../../store/connections/credentials.ts';
import { blockConnection } from '../../store/connections/rate-budget.ts';
import { SealError } from '../../store/secrets/sealing.ts';
import type { ActivityDeps } from '../deps.ts';
import type { DeliveryPlan } from './plan.ts';

/** Tells the author what to do, and nothing about the keys that the operator has. */
export const UNREADABLE = 'The kept credential cannot be read any more. Reconnect the destination, and enter it again.';

export interface OpenClient {
  client: DestinationClient<unknown>;
  adapter: Destination;
  /**
   * Asked right before something is sent. False where the activity was cancelled (its worker is being stopped, Temporal gave it up): nothing is
   * begun any more. True means that nothing cuts the client's calls from then on but their own time-out: a call that is cut says nothing
   * about what it did, and a call that ends says all.
   */
  goOn(): boolean;
}

/** Runs `call` if the connection still is the planned one. */
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
    return { kind: 'rejected', code: 'credential_unreadable', reason: UNREADABLE };
  }
  if (connection?.version !== planned.version) return { kind: 'changed' };
  const { cancellationSignal } = Context.current();
  const cut = new AbortController();
  let isSending = false;
  const cutUnlessSending = () => {
    if (!isSending) cut.abort();
  };
  if (cancellationSignal.aborted) cutUnlessSending();
  cancellationSignal.addEventListener('abort', cutUnlessSending, { once: true });
  const goOn = () => {
    isSending = !cancellationSignal.aborted;
    return isSending;
  };
  let pauseMs = 0;
  const client = adapter.createClient({
    connection,
    signal: cut.signal,
    timeoutMs: deps.httpTimeoutMs,
    now: deps.now,
    allowPrivate: deps.allowPrivate,
    onPause: (ms) => {
      pauseMs = Math.max(pauseMs, ms);
    },
  });
  const outcome = await call({ client, adapter, goOn });
  // The account's budget is used up before anything was refused: the next rate slots come after the pause, for all its deliveries.
  if (pauseMs > 0 && deps.pacing) await pause(deps, planned.id, pauseMs);
  return outcome;
}

/** A pause that cannot be written costs a 429 at most; the outcome, which is known by now, must not be lost for it. */
async function pause({ db }: ActivityDeps, connectionId: string, ms: number): Promise<void> {
  try {
    await blockConnection(db, connectionId, ms);
  } catch (error) {
    log.warn('the pause that a destination asked for could not be kept', { connectionId, ms, err: error });
  }
}
