/**
 * Installs the Temporal SDK's runtime, once per process: sends its logs, including native ones, to
 * pino and its metrics to a separate address.
 */
import { DefaultLogger, type LogMetadata, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { MetricsConfig } from '../runtime/config/metrics.ts';
import { isDeliveryFailure } from '../temporal/names.ts';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Throws if the metrics address is not available. */
export function installSdkRuntime(log: Logger, metrics: MetricsConfig | null): void {
  const level = log.isLevelEnabled('debug') ? 'DEBUG' : 'WARN';
  Runtime.install({
    logger: new DefaultLogger(level, ({ level: at, meta, message }) =>
      log[isExpected(message, meta) ? 'debug' : LEVELS[at]](meta ?? {}, message),
    ),
    shutdownSignals: [],
    telemetryOptions: {
      // Without this, the native part writes lines in its own format.
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
      ...(metrics && { metrics: { prometheus: { bindAddress: writeAddress(metrics) } } }),
    },
  });
}

/** Expected events that the SDK logs as warnings. */
function isExpected(message: string, meta: LogMetadata | undefined): boolean {
  // These queues have activities only.
  if (message.startsWith('No workflows registered')) return true;
  const error: unknown = meta?.error;
  return message === 'Workflow failed' && error instanceof Error && isDeliveryFailure(error.message);
}

function writeAddress({ host, port }: MetricsConfig): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
