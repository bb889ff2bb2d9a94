/**
 * Finds or installs the Chromium of the browser tests, in this order: CHROMIUM_PATH; the PATH; Debian's package, as root (some 100 MB, once),
 * with the fonts that screenshots need.
 */
import { describeError, StartError } from '../start/start-error.ts';
import { isExecutable, type Search } from '../start/temporal/obtain.ts';
import { findOnPath, installPackages } from './debian.ts';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Latin, Arabic and Hebrew, and Japanese: 8 MB. */
const FONTS = ['fonts-liberation', 'fonts-dejavu-core', 'fonts-motoya-l-cedar'];

/** The test environment's variables: where Chromium is, or why the tests that need it are skipped. */
export async function provideChromium(search: Search): Promise<NodeJS.ProcessEnv> {
  try {
    return { CHROMIUM_PATH: findChromium(search.env) ?? (await installChromium(search)) };
  } catch (error) {
    const reason = describeError(error);
    if (!search.aborted?.aborted) search.announce(`${reason} The tests with a browser are skipped.`);
    return { CHROMIUM_ABSENT: reason };
  }
}

/** What is there already; null if nothing is. Throws a `StartError` if CHROMIUM_PATH is not a program. */
export function findChromium(env: NodeJS.ProcessEnv): string | null {
  const given = env.CHROMIUM_PATH;
  if (given) {
    if (isExecutable(given)) return given;
    throw new StartError(`CHROMIUM_PATH (${given}) is not a program.`);
  }
  return findOnPath(PROGRAMS, env);
}

/** `why` a package manager was of no use, and what a person can do. */
export function describeAbsence(why: string): string {
  return `There is no Chromium (${why}). Install one ("apt-get install chromium" as root, or https://www.chromium.org), or name one in CHROMIUM_PATH.`;
}

async function installChromium(search: Search): Promise<string> {
  search.announce('Chromium: installing Debian’s package (once)');
  await installPackages(['chromium', ...FONTS], search).catch((error: unknown) => {
    throw new StartError(describeAbsence(describeError(error)));
  });
  const installed = findChromium(search.env);
  if (installed === null) throw new StartError(describeAbsence('the package chromium of this system contains none'));
  return installed;
}
