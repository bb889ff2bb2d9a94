/** The embedded Temporal server as a process: its command and its readiness. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import type { Command } from '../processes/launch.ts';
import { StartError } from '../start-error.ts';

export interface TemporalOptions {
  program: string;
  port: number;
  /** The port of the web interface; null for none. */
  uiPort: number | null;
  /** The file for the state; null to keep it in memory. */
  stateFile: string | null;
  folder: string;
}

/**
 * Builds the command of the dev server with faster settings: by default it polls the task queues
 * only 20 times per second.
 */
export function buildTemporalCommand(options: TemporalOptions): Command {
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(options.port), '--log-level', 'warn'];
  args.push(...(options.uiPort === null ? ['--headless'] : ['--ui-port', String(options.uiPort)]));
  if (options.stateFile !== null) args.push('--db-filename', options.stateFile);
  for (const pragma of ['journal_mode=wal', 'synchronous=normal']) args.push('--sqlite-pragma', pragma);
  for (const value of DYNAMIC_CONFIGURATION) args.push('--dynamic-config-value', value);
  return { file: options.program, args, env: buildTemporalEnvironment(), cwd: options.folder };
}

/** Waits until the server responds and its namespace exists. */
export async function waitForTemporal(
  address: string,
  options: { timeoutMs: number; gone: AbortSignal },
): Promise<void> {
  const deadline = Date.now() + options.timeoutMs;
  let last: unknown;
  while (Date.now() < deadline) {
    options.gone.throwIfAborted();
    try {
      await describeNamespaceOnce(address);
      return;
    } catch (error) {
      last = error;
      await sleep(50);
    }
  }
  const reason = last instanceof Error ? last.message : String(last);
  throw new StartError(
    `The Temporal server at ${address} was not ready within ${options.timeoutMs / 1_000} s: ${reason}`,
  );
}

const DYNAMIC_CONFIGURATION = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollRPS=2000',
  'history.visibilityProcessorMaxPollRPS=2000',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
];

/**
 * The current environment without TEMPORAL_*, which the program reads as settings of its client
 * commands.
 */
function buildTemporalEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_')));
}

async function describeNamespaceOnce(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: 1_000 });
  try {
    await connection.withDeadline(Date.now() + 2_000, () =>
      connection.workflowService.describeNamespace({ namespace: 'default' }),
    );
  } finally {
    await connection.close();
  }
}
