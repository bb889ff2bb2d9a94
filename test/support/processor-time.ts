/** Measures the cost of requests to an API in this process. */
import { toProcessorMs } from '../../runtime/threads/task-clock.ts';

/**
 * Starts a stopwatch that counts the processor time of the main thread, which is how long the event
 * loop is blocked. Elapsed time would include the time in which other processes run.
 */
export function startProcessorWatch(): () => number {
  const before = toProcessorMs(process.threadCpuUsage());
  return () => toProcessorMs(process.threadCpuUsage()) - before;
}
