/** Sends heartbeats from the start of an activity, so that a worker lost early is noticed as soon as one lost later. */
import { Context } from '@temporalio/activity';

const HEARTBEAT_MS = 1_500;

export async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
