/** A client with an opened credential, for one call: the only place where a credential is in the clear. */
import { Context, log } from '@temporalio/activity';
import type { Destination, DestinationClient, Platform } from '../../destinations/types.ts';
import { openConnection } from '../../store/connections/credentials.ts';
import { blockConnection } from '../../store/connections/rate-slots.ts';
import type { DeliveryPlan } from '../../store/deliveries/situation.ts';
import { SealError } from '../../store/secrets/sealing.ts';
import type { ActivityDeps } from '../deps.ts';

export type Refused = { kind: 'rejected'; code: string; reason: string; maybeSaved?: boolean };
/** The plan is another one by now (edited, disconnected); nothing was sent. */
export type Changed = { kind: 'changed' };

/** In the author's words: what keys the operator has is not theirs to know. */
export const UNREADABLE = 'The kept credential cannot be read any more. Reconnect the destination, and enter it again.';

/** Runs `call` if the connection still is the planned one. */
export async function withClient<T>(
  deps: ActivityDeps,
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
    return refused('credential_unreadable', UNREADABLE);
  }
  if (connection?.credentialVersion !== plan.connection.generation) return { kind: 'changed' };
  let pauseMs = 0;
  const client = adapter.createClient({
    connection,
    signal: Context.current().cancellationSignal,
    timeoutMs: deps.httpTimeoutMs,
    now: deps.now,
    allowPrivate: deps.allowPrivate,
    onPause: (ms) => {
      pauseMs = Math.max(pauseMs, ms);
    },
  });
  const outcome = await call(client, adapter);
  // Said before anything was refused: the next turns come after it, for all deliveries of this account.
  if (pauseMs > 0 && deps.pacing) await pause(deps, plan.connection.id, pauseMs);
  return outcome;
}

/** A pause that cannot be written costs a 429 at most; the outcome, which is known by now, must not be lost for it. */
async function pause({ db }: ActivityDeps, connectionId: string, ms: number): Promise<void> {
  try {
    await blockConnection(db, connectionId, ms);
  } catch (error) {
    log.warn('the pause that a destination asked for could not be kept', { connectionId, ms, error });
  }
}

export function refused(code: string, reason: string): Refused {
  return { kind: 'rejected', code, reason };
}
