/**
 * Configures the worker SDK of this process to log only errors and to leave signals to the test
 * runner.
 */
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

let installed = false;

/** Idempotent, because every creator of a worker calls it. */
export function installQuietRuntime(): void {
  if (installed) return;
  installed = true;
  const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    shutdownSignals: [],
    telemetryOptions: { logging: { filter } },
  });
}
