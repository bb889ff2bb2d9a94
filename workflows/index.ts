/** Every workflow, for the worker's bundle. */
export { articleWorkflow } from './article.ts';
export { deliveryWorkflow } from './delivery.ts';
export { watchWorkflow } from './watch.ts';
