/** Heartbeats from the first moment: a worker that is lost before its first query is noticed as soon as one that is lost later. */
import { Context } from '@temporalio/activity';

const HEARTBEAT_MS = 1_500;

export async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const pulse = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(pulse);
  }
}
