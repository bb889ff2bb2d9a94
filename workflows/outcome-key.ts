/** A name for one outcome, the same however often its activity is run: the key that keeps a notification single. */
import { uuid4 } from '@temporalio/workflow';

export function nextOutcomeKey(): string {
  // The SDK's generator is seeded per run, so a replay and a retried activity see the same value.
  return `delivery:${uuid4()}`;
}
