/** Measures the cost of work in this process. */
import { toProcessorMs } from '../../runtime/threads/task-clock.ts';

/**
 * Starts a stopwatch that counts processor time, because elapsed time includes the time in which
 * other processes run. By default that of the main thread, which is how long the event loop is
 * blocked; with `process.cpuUsage` that of all threads.
 */
export function startProcessorWatch(readUsage: () => NodeJS.CpuUsage = process.threadCpuUsage): () => number {
  const before = toProcessorMs(readUsage());
  return () => toProcessorMs(readUsage()) - before;
}
