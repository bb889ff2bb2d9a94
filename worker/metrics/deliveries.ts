/** Counts attempts and delivery outcomes in an interceptor, from the results of the activities. */
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { Counter, type Registry } from 'prom-client';
import type { OutcomeInput, PlannedAndSent } from '../../delivery/activity-messages.ts';
import type { SendOutcome } from '../../delivery/types.ts';

export function createDeliveryCounter(registry: Registry): ActivityInterceptorsFactory {
  const registers = [registry];
  const labelNames = ['destination', 'outcome'] as const;
  const attempts = new Counter({
    name: 'courant_delivery_attempts_total',
    help: 'Attempts to send to a destination, by outcome',
    labelNames,
    registers,
  });
  const deliveries = new Counter({
    name: 'courant_deliveries_total',
    help: 'Recorded outcomes of deliveries',
    labelNames,
    registers,
  });
  return ({ info: { activityType, workflowExecution } }) => ({
    inbound: {
      async execute(input, next) {
        const result = await next(input);
        const destination = readDestination(workflowExecution?.workflowId);
        if (destination === null) return result;
        const sent = readSent(activityType, result);
        if (sent) {
          attempts.inc({ destination, outcome: sent.kind });
          if ('recorded' in sent) deliveries.inc({ destination, outcome: 'delivered' });
        } else if (activityType === 'recordOutcome') {
          deliveries.inc({ destination, outcome: readOutcome(input.args) });
        }
        return result;
      },
    },
  });
}

/** Null for an activity that does not send, or that only planned. */
function readSent(activityType: string, result: unknown): SendOutcome | null {
  if (activityType === 'sendDelivery') return result as SendOutcome;
  return activityType === 'planAndSend' ? (result as PlannedAndSent).outcome : null;
}

/** Reads `delivery/<article>/<destination>`. */
function readDestination(workflowId = ''): string | null {
  const [kind, , destination] = workflowId.split('/');
  return kind === 'delivery' && destination !== undefined ? destination : null;
}

/** An outcome of kind `failed` is counted under its state, `failed` or `unknown`. */
function readOutcome([input]: unknown[]): string {
  const { outcome } = input as OutcomeInput;
  return outcome.kind === 'failed' ? outcome.state : outcome.kind;
}
