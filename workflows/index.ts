/** Exports all workflows for the worker's bundle. */
export { articleWorkflow } from './article.ts';
export { deliveryWorkflow } from './delivery.ts';
export { digestWorkflow } from './digest.ts';
export { digestSweepWorkflow } from './digest-sweep.ts';
export { importWorkflow } from './import.ts';
export { mailWorkflow } from './mail.ts';
export { roundupWorkflow } from './roundup.ts';
export { stalledSweepWorkflow } from './stalled-sweep.ts';
