/**
 * The peer worker: minimal workflows and an activity that only returns the time, with the settings
 * of our worker and, like it, in a separate process.
 */
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { BARE } from '../bare/options.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '' });
const worker = await Worker.create({
  connection,
  ...BARE,
  maxCachedWorkflows: 200,
  workflowThreadPoolSize: 1,
  maxConcurrentActivityTaskExecutions: 300,
});
console.log('bare worker ready');
await worker.run();
