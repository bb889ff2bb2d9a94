/** Sends heartbeats from the start of an activity, so that a lost worker is detected early. */
import { Context } from '@temporalio/activity';
import { TIMEOUTS } from '../delivery/timeouts.ts';

export async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), TIMEOUTS.heartbeatEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
