/**
 * Runs before `npm start` and `npm test`. Installs missing dependencies and rebuilds outdated
 * bundles (CLI, browser). Plain JavaScript for Node 20.0 or later, because nothing is installed yet,
 * not even our own Node.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lockFile = join(root, 'package-lock.json');
const ownNode = join(root, 'node_modules/.bin/node');
/** Contains the pid of the process that installs. */
const installLock = join(root, '.courant-installing');
const bundles = [
  { script: 'build-cli.ts', file: 'cli/dist/courant.tgz', sources: ['cli', 'article', 'destinations'] },
  { script: 'build-browser.ts', file: 'browser/dist/site.css', sources: ['browser', 'article'] },
];

if (Number.parseInt(process.versions.node, 10) < 20)
  exitWithError(`Courant needs Node 20 or later to install itself; this is ${process.version}.`);
if (!isInstalled()) installOnce();
for (const bundle of bundles) build(bundle);

/** Whether npm's record of what it installed has every package of the lock file. */
function isInstalled() {
  const installed = readPackages(join(root, 'node_modules/.package-lock.json'));
  return (
    Object.entries(readPackages(lockFile)).every(([path, { link, optional, integrity }]) => {
      if (link || !path.includes('node_modules/')) return true;
      // Optional packages of other platforms may be absent.
      return installed[path] === undefined ? optional : installed[path].integrity === integrity;
    }) && existsSync(ownNode)
  );
}

function readPackages(file) {
  return JSON.parse(readText(file) ?? '{}').packages ?? {};
}

/** An install first removes node_modules, so two installs must not overlap. */
function installOnce() {
  for (let isAnnounced = false; ; isAnnounced = true) {
    try {
      writeFileSync(installLock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!isAnnounced) process.stdout.write(`Waiting for another run that is installing (${installLock})\n`);
    if (hasEnded(Number(readText(installLock)))) rmSync(installLock, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  }
  // A failed install exits the process.
  process.once('exit', () => rmSync(installLock, { force: true }));
  if (!isInstalled()) install();
  rmSync(installLock, { force: true });
}

/** `pid` is 0 while the file is being written. */
function hasEnded(pid) {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function install() {
  process.stdout.write('Installing dependencies (npm ci, about a minute)\n');
  // `npm ci` rejects a lock file from a mirror that lacks packages of other platforms. `npm
  // install` uses the same versions and ignores the missing ones.
  if (!runNpm('ci') && !runNpm('install', '--no-save'))
    exitWithError('The dependencies could not be installed: see the output of npm above.');
  if (!existsSync(ownNode))
    exitWithError(
      'npm did not create node_modules/.bin/node. Are install scripts disabled (npm config get ignore-scripts)?',
    );
}

/** Uses the npm that runs this script, else the one on PATH. */
function runNpm(...command) {
  const script = process.env.npm_execpath;
  const [file, ...before] = script?.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
  // Development dependencies contain the Node that runs the service, whatever NODE_ENV is.
  const args = [...before, ...command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync(file, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) exitWithError(`npm could not be run: ${error.message}`);
  return status === 0;
}

function build({ script, file, sources }) {
  const builder = join(root, 'scripts', script);
  const built = existsSync(join(root, file)) ? statSync(join(root, file)).mtimeMs : 0;
  const newest = Math.max(...[builder, lockFile, ...sources.map((room) => join(root, room))].map(findNewest));
  if (newest <= built) return;
  const { status } = spawnSync(ownNode, [builder], { cwd: root, stdio: 'inherit' });
  if (status !== 0) exitWithError(`scripts/${script} failed.`);
}

/** Returns the time of the latest change below a path, without built and installed files. */
function findNewest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0;
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
