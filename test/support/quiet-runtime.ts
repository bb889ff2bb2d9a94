/** The worker SDK of this process: it logs errors only, and leaves signals to the test runner. */
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

let installed = false;

/** Idempotent, since everything that makes a worker calls it. */
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
