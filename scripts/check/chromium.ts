/**
 * Finds or installs the Chromium of the browser tests, in this order: CHROMIUM_PATH; the PATH; Debian's package, as root (some 100 MB, once),
 * with the fonts that screenshots need.
 */
import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describeError, StartError } from '../start/start-error.ts';
import { isExecutable, type Search, shorten } from '../start/temporal/obtain.ts';

const run = promisify(execFile);

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Latin, Arabic and Hebrew, and Japanese: 8 MB. */
const FONTS = ['fonts-liberation', 'fonts-dejavu-core', 'fonts-motoya-l-cedar'];
const FETCH_TIMEOUT_MS = 5 * 60_000;
/** Long, since a package that is broken off half-way has to be mended by hand. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;

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
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = folders.flatMap((folder) => PROGRAMS.map((name) => join(folder, name)));
  return places.find(isExecutable) ?? null;
}

/** `why` a package manager was of no use, and what a person can do. */
export function describeAbsence(why: string): string {
  return `There is no Chromium (${why}). Install one ("apt-get install chromium" as root, or https://www.chromium.org), or name one in CHROMIUM_PATH.`;
}

async function installChromium({ env, announce, aborted }: Search): Promise<string> {
  if (process.getuid?.() !== 0) throw new StartError(describeAbsence('and only root can install Debian’s'));
  const apt = (args: string[], limits: { timeout: number; signal?: AbortSignal | undefined }) =>
    run('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], {
      ...limits,
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 16 << 20,
    });
  const install = ['install', '--yes', '--no-install-recommends', 'chromium', ...FONTS];
  const fetching = { timeout: FETCH_TIMEOUT_MS, signal: aborted };
  const fetch = () => apt([...install, '--download-only'], fetching);
  announce('Chromium: installing Debian’s package (once)');
  try {
    // Lists that are missing or old: either way the packages are not where they say.
    await fetch().catch(() => apt(['update'], fetching).then(fetch));
    aborted?.throwIfAborted();
    await apt(install, { timeout: INSTALL_TIMEOUT_MS });
  } catch (error) {
    throw new StartError(describeAbsence(`apt-get: ${shorten(error)}`));
  }
  const installed = findChromium(env);
  if (installed === null) throw new StartError(describeAbsence('the package chromium of this system contains none'));
  return installed;
}
