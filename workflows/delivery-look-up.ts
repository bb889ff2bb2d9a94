/** Asks a destination whether it has the article's post; a lost worker is as good as an answer that did not come. */
import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { Activities, LookUpOutcome } from '../activities/index.ts';
import type { DeliveryWorkflowInput } from './messages.ts';
import { OUTSIDE_OPTIONS } from './options.ts';

const { lookUpDelivery } = proxyActivities<Activities>(OUTSIDE_OPTIONS);

export async function lookUpCreated(input: DeliveryWorkflowInput): Promise<LookUpOutcome> {
  try {
    return await lookUpDelivery(input);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { kind: 'unknown', reason: 'The worker was lost while it looked the post up.' };
  }
}
