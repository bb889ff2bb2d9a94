/**
 * `npm run test:services`: runs the servers of the tests until Ctrl-C, for a fast development loop.
 * Prints the variables to export; with them, `npm test` and `node --test` use these servers.
 */
import { startTestServices } from './check/services.ts';
import { describeError } from './start/start-error.ts';
import { onTerminationRequest } from './start/termination-requests.ts';

// A promise alone does not keep the process running.
const awake = setInterval(() => undefined, 60_000);
const ended = new Promise((resolve) => onTerminationRequest(resolve));
try {
  const services = await startTestServices((step) => void process.stderr.write(`${step}\n`));
  process.stdout.write(`export TEST_DATABASE_URL='${services.databaseUrl}'\n`);
  process.stdout.write(`export TEST_TEMPORAL_ADDRESS='${services.temporalAddress}'\n`);
  process.stderr.write('Both run until you press Ctrl-C.\n');
  await ended;
  await services.stop();
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}
clearInterval(awake);
