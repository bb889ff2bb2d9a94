/**
 * `npm run test:services`: runs the servers of the tests until Ctrl-C, for a fast development loop.
 * Prints the variables to export; with them, `npm test` and `node --test` use these servers.
 */
import { startTestServices } from './check/services.ts';
import { describeError } from './start/start-error.ts';
import { onTerminationRequest } from './start/termination-requests.ts';

let stopping = false;
const ended = new Promise<void>((resolve) => onTerminationRequest(() => resolve()));

try {
  const announce = (step: string) => void process.stderr.write(`${step}\n`);
  const services = await startTestServices(announce);
  process.stdout.write(`export TEST_DATABASE_URL='${services.databaseUrl}'\n`);
  process.stdout.write(`export TEST_TEMPORAL_ADDRESS='${services.temporalAddress}'\n`);
  process.stderr.write('Both run until you press Ctrl-C.\n');
  // A promise alone does not keep the process running.
  const awake = setInterval(() => undefined, 60_000);
  await ended;
  clearInterval(awake);
  stopping = true;
  await services.stop();
} catch (error) {
  if (!stopping) process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}
