/** The peers' worker: the same settings as ours, workflows and an activity without content. A process of its own, like ours. */
import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '' });
const worker = await Worker.create({
  connection,
  namespace: 'default',
  taskQueue: 'bare',
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  activities: { touch: async () => Date.now() },
  maxCachedWorkflows: 200,
  workflowThreadPoolSize: 1,
  maxConcurrentActivityTaskExecutions: 300,
});
console.log('bare worker ready');
await worker.run();
