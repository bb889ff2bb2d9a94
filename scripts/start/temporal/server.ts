/** The embedded Temporal server as a process: its command and its readiness. */
import { Connection } from '@temporalio/client';
import { type Command, retryUntilReady } from '../processes/launch.ts';

export interface TemporalOptions {
  program: string;
  port: number;
  /** The port of the web interface; null for none. */
  uiPort: number | null;
  /** The file for the state; null to keep it in memory. */
  stateFile: string | null;
  folder: string;
}

/** By default the dev server polls the task queues only 20 times per second. */
const DYNAMIC_CONFIGURATION = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollRPS=2000',
  'history.visibilityProcessorMaxPollRPS=2000',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
];

export function buildTemporalCommand(options: TemporalOptions): Command {
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(options.port), '--log-level', 'warn'];
  args.push(...(options.uiPort === null ? ['--headless'] : ['--ui-port', String(options.uiPort)]));
  if (options.stateFile !== null) args.push('--db-filename', options.stateFile);
  for (const pragma of ['journal_mode=wal', 'synchronous=normal']) args.push('--sqlite-pragma', pragma);
  for (const value of DYNAMIC_CONFIGURATION) args.push('--dynamic-config-value', value);
  // Without TEMPORAL_*, which the program reads as settings of its client commands.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_')));
  return { file: options.program, args, env, cwd: options.folder };
}

/** Waits until the server responds and its namespace exists. */
export function waitForTemporal(address: string, options: { timeoutMs: number; gone: AbortSignal }): Promise<void> {
  const describeNamespace = async () => {
    const connection = await Connection.connect({ address, connectTimeout: 1_000 });
    const describe = () => connection.workflowService.describeNamespace({ namespace: 'default' });
    await connection.withDeadline(Date.now() + 2_000, describe).finally(() => connection.close());
  };
  return retryUntilReady(`The Temporal server at ${address}`, describeNamespace, options);
}
