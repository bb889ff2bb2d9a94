/**
 * Before `npm start`, `npm test` and `npm run check`: installs what is missing and builds what is out of date: the CLI, and what browsers get.
 * Plain JavaScript for any Node from 20.0, since at this moment nothing is installed, not even our own Node. Returns quickly if nothing is
 * to be done.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lockFile = join(root, 'package-lock.json');
const modules = join(root, 'node_modules');
/** Contains the hash of the lock file that was installed. Inside node_modules, so that it is removed with them. */
const stampFile = join(modules, '.courant-installed');
/** Contains the pid of the run that is installing. */
const installLock = join(root, '.courant-installing');
/** What is bundled here, from which folders. */
const bundles = [
  {
    name: 'courant command',
    script: 'build-cli.ts',
    file: 'cli/dist/courant.tgz',
    rooms: ['cli', 'article', 'destinations', 'images'],
  },
  {
    name: 'scripts and styles of the pages',
    script: 'build-browser.ts',
    file: 'browser/dist/site.css',
    rooms: ['browser', 'article', 'images'],
  },
];

requireNode20();
installMissing();
for (const bundle of bundles) build(bundle);

function requireNode20() {
  if (Number.parseInt(process.versions.node, 10) >= 20) return;
  giveUp(`Courant needs Node 20 or later to install itself; this is ${process.version}.`);
}

function installMissing() {
  const hash = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (findReasonToInstall(hash) === null) return;
  // An install begins with the removal of node_modules: another run's must not lose them half-way.
  holdInstallLock();
  const release = () => rmSync(installLock, { force: true });
  // Giving up ends the process.
  process.once('exit', release);
  const reason = findReasonToInstall(hash);
  if (reason !== null) install(hash, reason);
  release();
  process.off('exit', release);
}

function holdInstallLock() {
  let told = false;
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
    if (!told) process.stdout.write('Another run is installing the dependencies; waiting for it\n');
    told = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  }
}

/** Its run was killed, or is so old that its pid may belong to another process by now. */
function isLockStale() {
  try {
    const ageMs = Date.now() - statSync(installLock).mtimeMs;
    const pid = Number(readFileSync(installLock, 'utf8'));
    // Empty at the moment of its creation.
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
  // `npm ci` refuses a lock file that was written where the packages of other platforms were not available (a mirror with one platform
  // only); `npm install` takes the same versions from it and ignores the missing ones.
  const refused = runNpm(['ci']);
  if (refused !== null) {
    process.stdout.write('npm ci did not work; trying npm install\n');
    const failed = runNpm(['install', '--no-save']);
    if (failed !== null)
      giveUp(`${refused}\n${failed}\nThe dependencies could not be installed; npm's reasons stand above.`);
  }
  if (!hasOwnNode()) {
    giveUp(
      'npm left no node_modules/.bin/node behind. Are install scripts switched off (npm config get ignore-scripts)?',
    );
  }
  writeFileSync(stampFile, hash);
}

/** Runs npm; returns null on success, else its output. */
function runNpm(command) {
  const npm = findNpm();
  // The development dependencies include the Node that runs the service, so they are installed whatever NODE_ENV or npm's settings say.
  const args = [...npm.args, ...command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { NODE_ENV: _ignored, ...env } = process.env;
  const result = spawnSync(npm.file, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
    shell: npm.shell,
  });
  if (result.error !== undefined) giveUp(`npm could not be run: ${result.error.message}`);
  // After the reasons, npm prints the usage of the command.
  return result.status === 0 ? null : result.stderr.split('\n').slice(0, 12).join('\n');
}

/** Why an install is needed, in a few words; null if it is not. */
function findReasonToInstall(hash) {
  if (!existsSync(modules)) return 'node_modules is missing';
  if (!hasOwnNode()) return 'node_modules is incomplete';
  if (readText(stampFile) === hash) return null;
  if (!isInstalledByHand()) return 'package-lock.json has changed';
  writeFileSync(stampFile, hash);
  return null;
}

function hasOwnNode() {
  return ['node', 'node.exe', 'node.cmd'].some((name) => existsSync(join(modules, '.bin', name)));
}

/** Whether somebody ran npm themselves: npm's own record of what it installed matches the lock file. */
function isInstalledByHand() {
  const installed = readPackages(join(modules, '.package-lock.json'));
  const wanted = readPackages(lockFile);
  if (installed === null || wanted === null) return false;
  return Object.entries(wanted).every(([path, { version, link, optional, integrity }]) => {
    if (path === '' || link === true || (!path.startsWith('node_modules/') && !path.includes('/node_modules/')))
      return true;
    const found = installed[path];
    // Optional packages are those of other platforms.
    return found === undefined ? optional === true : found.version === version && found.integrity === integrity;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null;
  } catch {
    // Missing or cut off, so it is installed again.
    return null;
  }
}

/** The npm that runs this script, else the one on the PATH. */
function findNpm() {
  const own = process.env.npm_execpath;
  if (own?.endsWith('npm-cli.js')) return { file: process.execPath, args: [own], shell: false };
  // On Windows npm is a command file, which only a shell can run.
  return { file: 'npm', args: [], shell: process.platform === 'win32' };
}

function build({ name, script, file, rooms }) {
  const builder = join(root, 'scripts', script);
  if (!existsSync(builder)) return;
  const bundle = join(root, file);
  const built = existsSync(bundle) ? statSync(bundle).mtimeMs : 0;
  const newest = Math.max(...[builder, lockFile, ...rooms.map((room) => join(root, room))].map(findNewest));
  if (newest <= built) return;
  process.stdout.write(`Building the ${name}\n`);
  const node = join(modules, '.bin', 'node');
  const result = spawnSync(node, [builder], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.status !== 0) giveUp(`The ${name} could not be built${result.error ? `: ${result.error.message}` : '.'}`);
}

/** Time of the latest change below a path, in milliseconds; built and installed files do not count. */
function findNewest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const entries = readdirSync(path).filter((name) => name !== 'node_modules' && name !== 'dist');
  return Math.max(0, ...entries.map((name) => findNewest(join(path, name))));
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function giveUp(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
