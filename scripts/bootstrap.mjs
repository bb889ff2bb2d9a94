/**
 * Runs before `npm start`, `npm test` and `npm run check`. Installs missing dependencies and
 * rebuilds outdated bundles (CLI, browser). Plain JavaScript for Node 20.0 or later, because
 * nothing is installed yet, not even our own Node.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lockFile = join(root, 'package-lock.json');
const modules = join(root, 'node_modules');
/**
 * Contains the hash of the installed lock file. Inside node_modules, so that it is removed with it.
 */
const stampFile = join(modules, '.courant-installed');
/** Contains the pid of the process that installs. */
const installLock = join(root, '.courant-installing');
/** The bundles and their source folders. */
const bundles = [
  {
    name: 'courant command',
    script: 'build-cli.ts',
    file: 'cli/dist/courant.tgz',
    sources: ['cli', 'article', 'destinations'],
  },
  {
    name: 'scripts and styles of the web pages',
    script: 'build-browser.ts',
    file: 'browser/dist/site.css',
    sources: ['browser', 'article'],
  },
];

requireNode20();
installMissing();
for (const bundle of bundles) build(bundle);

function requireNode20() {
  if (Number.parseInt(process.versions.node, 10) >= 20) return;
  exitWithError(`Courant needs Node 20 or later to install itself; this is ${process.version}.`);
}

function installMissing() {
  const hash = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (findReasonToInstall(hash) === null) return;
  // An install first removes node_modules, so two installs must not overlap.
  holdInstallLock();
  const release = () => rmSync(installLock, { force: true });
  // A failed install exits the process.
  process.once('exit', release);
  const reason = findReasonToInstall(hash);
  if (reason !== null) install(hash, reason);
  release();
  process.off('exit', release);
}

function holdInstallLock() {
  let isAnnounced = false;
  for (;;) {
    try {
      writeFileSync(installLock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isLockStale()) {
      rmSync(installLock, { force: true });
      continue;
    }
    if (!isAnnounced) process.stdout.write('Waiting for another run that is installing the dependencies\n');
    isAnnounced = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  }
}

/** Whether the installing process was killed, or is so old that its pid may have been reused. */
function isLockStale() {
  try {
    const ageMs = Date.now() - statSync(installLock).mtimeMs;
    const pid = Number(readFileSync(installLock, 'utf8'));
    // The file is empty right after its creation.
    if (pid === 0) return ageMs > 10_000;
    process.kill(pid, 0);
    return ageMs > 10 * 60_000;
  } catch (error) {
    // ENOENT: released just now. EPERM: a process of another user.
    return error.code === 'ESRCH';
  }
}

function install(hash, reason) {
  process.stdout.write(`Installing dependencies (npm ci, about a minute): ${reason}\n`);
  // `npm ci` rejects a lock file from a mirror that lacks packages of other platforms. `npm
  // install` uses the same versions and ignores the missing ones.
  const ciFailure = runNpm(['ci']);
  if (ciFailure !== null) {
    process.stdout.write('npm ci failed; trying npm install\n');
    const installFailure = runNpm(['install', '--no-save']);
    if (installFailure !== null)
      exitWithError(
        `${ciFailure}\n${installFailure}\nThe dependencies could not be installed: see npm's output above.`,
      );
  }
  if (!hasOwnNode()) {
    exitWithError(
      'npm did not create node_modules/.bin/node. Are install scripts disabled (npm config get ignore-scripts)?',
    );
  }
  writeFileSync(stampFile, hash);
}

/** Runs npm; returns null on success, else its output. */
function runNpm(command) {
  const npm = findNpm();
  // Includes development dependencies whatever NODE_ENV or npm's settings: they contain the Node
  // that runs the service.
  const args = [...npm.args, ...command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { NODE_ENV: _ignored, ...env } = process.env;
  const result = spawnSync(npm.file, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
    shell: npm.shell,
  });
  if (result.error !== undefined) exitWithError(`npm could not be run: ${result.error.message}`);
  // npm prints the usage of the command after the reasons.
  return result.status === 0 ? null : result.stderr.split('\n').slice(0, 12).join('\n');
}

/** Returns the reason for an install; null if none is needed. */
function findReasonToInstall(hash) {
  if (!existsSync(modules)) return 'node_modules is missing';
  if (!hasOwnNode()) return 'node_modules is incomplete';
  if (readText(stampFile) === hash) return null;
  if (!isInstalledManually()) return 'package-lock.json has changed';
  writeFileSync(stampFile, hash);
  return null;
}

function hasOwnNode() {
  return ['node', 'node.exe', 'node.cmd'].some((name) => existsSync(join(modules, '.bin', name)));
}

/**
 * Whether dependencies were installed without this script: npm's own record matches the lock file.
 */
function isInstalledManually() {
  const installed = readPackages(join(modules, '.package-lock.json'));
  const required = readPackages(lockFile);
  if (installed === null || required === null) return false;
  return Object.entries(required).every(([path, { version, link, optional, integrity }]) => {
    if (path === '' || link === true || (!path.startsWith('node_modules/') && !path.includes('/node_modules/')))
      return true;
    const found = installed[path];
    // Optional packages of other platforms may be absent.
    return found === undefined ? optional === true : found.version === version && found.integrity === integrity;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null;
  } catch {
    // Missing or truncated, which leads to an install.
    return null;
  }
}

/** The npm that runs this script, else the one on PATH. */
function findNpm() {
  const npmScript = process.env.npm_execpath;
  if (npmScript?.endsWith('npm-cli.js')) return { file: process.execPath, args: [npmScript], shell: false };
  // On Windows npm is a command file, which only a shell can run.
  return { file: 'npm', args: [], shell: process.platform === 'win32' };
}

function build({ name, script, file, sources }) {
  const builder = join(root, 'scripts', script);
  if (!existsSync(builder)) return;
  const bundle = join(root, file);
  const built = existsSync(bundle) ? statSync(bundle).mtimeMs : 0;
  const newest = Math.max(...[builder, lockFile, ...sources.map((room) => join(root, room))].map(findNewest));
  if (newest <= built) return;
  process.stdout.write(`Building the ${name}\n`);
  const node = join(modules, '.bin', 'node');
  const result = spawnSync(node, [builder], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.status !== 0)
    exitWithError(`The ${name} could not be built${result.error ? `: ${result.error.message}` : '.'}`);
}

/**
 * Returns the time of the latest change below a path, in milliseconds. Ignores built and installed
 * files.
 */
function findNewest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const entries = readdirSync(path).filter((name) => name !== 'node_modules' && name !== 'dist');
  return Math.max(0, ...entries.map((name) => findNewest(join(path, name))));
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function exitWithError(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
