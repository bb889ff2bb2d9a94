/**
 * Finds or installs Chromium for the browser tests, in this order: CHROMIUM_PATH; the PATH;
 * Debian's package, as root (about 100 MB, once), with the fonts that screenshots need.
 */
import { describeError, StartError } from '../start/start-error.ts';
import { isExecutable, type ProgramSearch } from '../start/temporal/obtain.ts';
import { findOnPath, installPackages } from './install-debian-packages.ts';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Latin, Arabic and Hebrew, and Japanese: 8 MB. */
const FONTS = ['fonts-liberation', 'fonts-dejavu-core', 'fonts-motoya-l-cedar'];

/**
 * Returns variables for the tests: the path of Chromium, or the reason why browser tests are
 * skipped.
 */
export async function provideChromium(search: ProgramSearch): Promise<NodeJS.ProcessEnv> {
  try {
    return { CHROMIUM_PATH: findChromium(search.env) ?? (await installChromium(search)) };
  } catch (error) {
    const reason = describeError(error);
    if (!search.aborted?.aborted) search.announce(`${reason} The tests with a browser are skipped.`);
    return { CHROMIUM_ABSENT: reason };
  }
}

/**
 * Returns the installed Chromium; null if there is none. Throws a `StartError` if CHROMIUM_PATH is
 * not a program.
 */
export function findChromium(env: NodeJS.ProcessEnv): string | null {
  const configured = env.CHROMIUM_PATH;
  if (configured) {
    if (isExecutable(configured)) return configured;
    throw new StartError(`CHROMIUM_PATH (${configured}) is not a program.`);
  }
  return findOnPath(PROGRAMS, env);
}

/** Describes why no package manager could install it, and the next step. */
export function describeMissingChromium(reason: string): string {
  return `There is no Chromium (${reason}). Install one ("apt-get install chromium" as root, or https://www.chromium.org), or name one in CHROMIUM_PATH.`;
}

async function installChromium(search: ProgramSearch): Promise<string> {
  search.announce('Chromium: installing Debian’s package (once)');
  await installPackages(['chromium', ...FONTS], search).catch((error: unknown) => {
    throw new StartError(describeMissingChromium(describeError(error)));
  });
  const installed = findChromium(search.env);
  if (installed === null)
    throw new StartError(describeMissingChromium('the package chromium of this system contains none'));
  return installed;
}
