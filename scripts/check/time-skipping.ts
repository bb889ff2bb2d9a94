/** The time-skipping server of `test/time`, for the environment of the tests: where it is, or why its tests are skipped. */
import { describeError } from '../start/start-error.ts';
import { resolveTimeSkippingPath, type TimeSkippingSearch } from './time-skipping-program.ts';

/** Never fails: whoever has neither Java nor the SDK's archive can still test the rest. */
export async function provideTimeSkipping(search: TimeSkippingSearch): Promise<NodeJS.ProcessEnv> {
  try {
    return { TIME_SKIPPING_SERVER: await resolveTimeSkippingPath(search) };
  } catch (error) {
    const reason = describeError(error);
    if (!search.aborted?.aborted) search.announce(`${reason} The tests of test/time are skipped.`);
    return { TIME_SKIPPING_ABSENT: reason };
  }
}
