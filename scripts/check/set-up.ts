/**
 * Provides what tests need beside npm packages. Uses the path in the variable of that name, else what is installed,
 * else installs it once: Debian packages as root, the rest in the user's cache folder. COURANT_NO_INSTALL=1 forbids it.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findOnPath, formatErrorLine, type ProgramSearch } from '../start/temporal/program.ts';

interface Tool {
  what: string;
  find: (env: NodeJS.ProcessEnv) => string | undefined;
  install: (search: ProgramSearch) => Promise<unknown>;
}
export type ToolName = keyof typeof TOOLS;

const run = promisify(execFile);
const FILES = fileURLToPath(new URL('./set-up', import.meta.url));
const INSTALL_TIMEOUT_MS = 10 * 60_000;
/** Has no user interface: a page costs a quarter of the processor time. Fonts: for screenshots. */
const SHELL = 'chromium-headless-shell';
/** Heavier programs, used where a tool cannot be installed. */
const SUBSTITUTES = new Map([['CHROMIUM_PATH', ['chromium', 'chromium-browser', 'google-chrome']]]);
const FONTS = ['fonts-liberation', 'fonts-dejavu-core', 'fonts-motoya-l-cedar'];
const SKIPPING = 'temporal-test-server';
const TOOLS = {
  CHROMIUM_PATH: debian(SHELL, (env) => findOnPath([SHELL], env), FONTS),
  FAKETIME_LIBRARY: debian('libfaketime', () => globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]),
  PGBOUNCER: debian('pgbouncer', ({ PATH }) => findOnPath(['pgbouncer'], { PATH: `${PATH}:/usr/sbin` })),
  POSTGRES_PROGRAMS: debian('postgresql', () => globSync('/usr/lib/postgresql/*/bin').sort().at(-1)),
  TIME_SKIPPING_SERVER: cached('time-skipping Temporal server', `${SKIPPING}-1.38.0`, fetchSkippingServer, SKIPPING),
  LINTERS: python('linters.txt', []),
  PYTHON_READERS: python('readers.txt', ['--require-hashes']),
  SCHEMATHESIS: python('schemathesis.txt', []),
};

/** Returns a variable per tool: its path, or in `…_ABSENT` the reason why its tests are skipped. Never fails. */
export async function provideTools(names: readonly ToolName[], search: ProgramSearch): Promise<NodeJS.ProcessEnv> {
  const found: NodeJS.ProcessEnv = {};
  for (const name of names) {
    let reason = 'COURANT_NO_INSTALL forbids installing it';
    const { what, find, install }: Tool = TOOLS[name];
    const findPreferred = () => search.env[name] || find(search.env);
    if (!findPreferred() && !search.env.COURANT_NO_INSTALL) {
      search.announce(`Installing for the tests (once; COURANT_NO_INSTALL=1 forbids it): ${what}`);
      reason = await install(search).then(() => 'the package does not contain it', formatErrorLine);
    }
    const path = findTool(name, search.env);
    if (path && !findPreferred()) search.announce(`Using ${path}, because ${what} is missing (${reason}).`);
    found[path ? name : `${name}_ABSENT`] = path ?? reason;
    if (!path) search.announce(`${explainAbsence(name, found)} Its tests are skipped.`);
  }
  return found;
}

/** Returns the path of a tool without installing it. */
export function findTool(name: ToolName, env = process.env): string | undefined {
  return env[name] || TOOLS[name].find(env) || findOnPath(SUBSTITUTES.get(name) ?? [], env);
}

/** Returns the reason why tests with a tool are skipped, and what to do. */
export const explainAbsence = (name: ToolName, env = process.env) =>
  `Missing: ${TOOLS[name].what} (${env[`${name}_ABSENT`] ?? 'a complete run of the tests installs it'}). Install it, or set ${name}.`;

function debian(what: string, find: Tool['find'], others: string[] = []): Tool {
  const install = async ({ env, aborted }: ProgramSearch) => {
    if (process.getuid?.() !== 0) throw new Error(`only root can install it: apt-get install ${what}`);
    const apt = ['-o', 'DPkg::Lock::Timeout=120', 'install', '--yes', '--no-install-recommends', what, ...others];
    const options = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: INSTALL_TIMEOUT_MS };
    const fetch = () => run('apt-get', [...apt, '--download-only'], { ...options, signal: aborted });
    // Missing or outdated package lists fail the download. The installation itself must not be interrupted.
    await fetch().catch(() => run('apt-get', ['update'], { ...options, signal: aborted }).then(fetch));
    await run('apt-get', apt, options);
  };
  return { what, find, install };
}

function python(list: string, options: string[]): Tool {
  const path = join(FILES, list);
  const version = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12);
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary', ':all:', ...options, '-r', path];
  return cached(`Python packages of ${list}`, `python-${version}`, ({ env, aborted: signal }, folder) =>
    run('python3', [...pip, '--target', folder], { env, signal, timeout: INSTALL_TIMEOUT_MS }),
  );
}

/** Fills a temporary folder and renames it, so that an existing folder is complete. */
function cached(what: string, name: string, fill: (search: ProgramSearch, to: string) => Promise<unknown>, file = '') {
  const locate = (env: NodeJS.ProcessEnv) => join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'courant', name);
  const install = async (search: ProgramSearch) => {
    const folder = `${locate(search.env)}.new-${process.pid}`;
    mkdirSync(folder, { recursive: true });
    try {
      await fill(search, folder);
      renameSync(folder, locate(search.env));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  return { what, find: (env: NodeJS.ProcessEnv) => [join(locate(env), file)].find(existsSync), install };
}

/** From Maven Central, with `java` and `mvn` (40 MB), else by the SDK, whose archive may be unreachable. */
async function fetchSkippingServer({ env, announce, aborted: signal }: ProgramSearch, folder: string): Promise<void> {
  const mvn = ['--quiet', '--batch-mode', '-f', join(FILES, 'pom.xml')];
  mvn.push('dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}/lib`);
  try {
    await run('mvn', mvn, { env, signal, timeout: INSTALL_TIMEOUT_MS });
    cpSync(join(FILES, SKIPPING), join(folder, SKIPPING));
  } catch (error) {
    announce(`Maven failed (${formatErrorLine(error)}); downloading with the Temporal SDK`);
    const download = [join(FILES, '../../start/temporal/download.ts'), folder, 'default', 'time-skipping'];
    await run(process.execPath, download, { env, signal, timeout: 30_000 });
    renameSync(globSync(`${folder}/${SKIPPING}*`)[0] ?? '', join(folder, SKIPPING));
  }
}
