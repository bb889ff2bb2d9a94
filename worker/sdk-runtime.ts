/** The Temporal SDK's own runtime, once per process: its logs, those of its native part too, go through pino, and its metrics to an address of their own. */
import { DefaultLogger, type LogMetadata, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { MetricsConfig } from '../config/metrics.ts';
import { isDeliveryFailure } from '../temporal/names.ts';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Throws where the address of the metrics cannot be had. */
export function installSdkRuntime(log: Logger, metrics: MetricsConfig | null): void {
  const level = log.isLevelEnabled('debug') ? 'DEBUG' : 'WARN';
  Runtime.install({
    logger: new DefaultLogger(level, ({ level: at, meta, message }) =>
      log[isExpected(message, meta) ? 'debug' : LEVELS[at]](meta ?? {}, message),
    ),
    shutdownSignals: [],
    telemetryOptions: {
      // The native part would write lines of its own format otherwise.
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
      ...(metrics && { metrics: { prometheus: { bindAddress: writeAddress(metrics) } } }),
    },
  });
}

/** The SDK warns of it all the same. */
function isExpected(message: string, meta: LogMetadata | undefined): boolean {
  // The queues of deliveries and mails have activities alone.
  if (message.startsWith('No workflows registered')) return true;
  const error: unknown = meta?.error;
  return message === 'Workflow failed' && error instanceof Error && isDeliveryFailure(error.message);
}

function writeAddress({ host, port }: MetricsConfig): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
