/**
 * Provides the path of the time-skipping server of `test/time`, or the reason why its tests are
 * skipped.
 */
import { describeError } from '../start/start-error.ts';
import type { ProgramSearch } from '../start/temporal/obtain.ts';
import { resolveTimeSkippingPath } from './time-skipping-program.ts';

/** Never fails: without the server, the other tests still run. */
export async function provideTimeSkipping(search: ProgramSearch): Promise<NodeJS.ProcessEnv> {
  try {
    return { TIME_SKIPPING_SERVER: await resolveTimeSkippingPath(search) };
  } catch (error) {
    const reason = describeError(error);
    if (!search.aborted?.aborted) search.announce(`${reason} The tests of test/time are skipped.`);
    return { TIME_SKIPPING_ABSENT: reason };
  }
}
