/** The Temporal SDK's own runtime, once per process: its logs, those of its native part too, go through pino, and its metrics to an address of their own. */
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { MetricsConfig } from '../config/metrics.ts';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Throws where the address of the metrics cannot be had. */
export function installSdkRuntime(log: Logger, metrics: MetricsConfig | null): void {
  const level = log.isLevelEnabled('debug') ? 'DEBUG' : 'WARN';
  Runtime.install({
    // The queues of deliveries and mails have activities alone, of which the SDK warns at every start.
    logger: new DefaultLogger(level, ({ level: at, meta, message }) =>
      log[message.startsWith('No workflows registered') ? 'debug' : LEVELS[at]](meta ?? {}, message),
    ),
    shutdownSignals: [],
    telemetryOptions: {
      // The native part would write lines of its own format otherwise.
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
      ...(metrics && { metrics: { prometheus: { bindAddress: writeAddress(metrics) } } }),
    },
  });
}

function writeAddress({ host, port }: MetricsConfig): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
