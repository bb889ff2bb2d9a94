/** A name for one outcome, the same however often its activity is run: with it a notification is written once. */
import { uuid4 } from '@temporalio/workflow';

export function nextOutcomeKey(): string {
  // The SDK's generator is seeded per run, so a replay and a retried activity see the same value.
  return `delivery:${uuid4()}`;
}
