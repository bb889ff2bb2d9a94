/**
 * `npm start`: starts PostgreSQL, Temporal and the sandbox destinations as needed, the API and a
 * worker; creates a demo author, publishes an example and shows its deliveries. Runs until Ctrl-C.
 * Exit codes: 0 stopped, 1 could not start or stop, 130 killed (second Ctrl-C).
 */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { restoreDemoFile } from './start/demo/demo-file.ts';
import { type LockedHome, lockHome } from './start/home.ts';
import { readSettings } from './start/settings.ts';
import type { Stack, StackControl } from './start/stack.ts';
import { describeError } from './start/start-error.ts';
import { onTerminationRequest } from './start/termination-requests.ts';

/** All processes must stop within ten seconds of a Ctrl-C. */
const STOP_LIMIT_MS = 9_700;

const root = fileURLToPath(new URL('..', import.meta.url));
const started = Date.now();
const ending = new AbortController();
let home: LockedHome | null = null;
let stack: StackControl | null = null;
let rewriteDemoFile: (() => void) | null = null;

onTerminationRequest(
  () => {
    ending.abort();
    setTimeout(() => forceEnd(1), STOP_LIMIT_MS).unref();
  },
  () => forceEnd(130),
);
// An unexpected error must also end all processes.
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

try {
  await start();
  await untilAborted();
  print('Stopping');
} catch (error) {
  if (!ending.signal.aborted) fail(error);
}
await stopAll();
process.exit();

async function start(): Promise<void> {
  // New files (keys, logs, state of Temporal) are readable only by their owner, unless a mode is
  // given.
  process.umask(0o077);
  if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'));
  const { env } = process;
  const settings = readSettings(env, root);
  home = lockHome(settings.home);
  print(`Starting Courant; its state is in ${settings.home}`);
  const aborted = ending.signal;
  // Most code is loaded after this point, from the compile cache of the last start.
  enableCompileCache(env.NODE_COMPILE_CACHE ?? join(settings.home, 'cache', 'node'));
  const { createStack } = await import('./start/stack.ts');
  stack = createStack({ settings, home, root, env, print, onRestart: () => rewriteDemoFile?.(), aborted });
  const running = await stack.start();
  const { describeNextSteps, introduceAuthor, showDeliveries } = await loadDemonstration(running);
  const demonstration = { settings, stack: running, root, env, print, aborted };
  const { demo, rewrite, first } = await introduceAuthor(demonstration);
  rewriteDemoFile = rewrite;
  print(`Ready after ${((Date.now() - started) / 1_000).toFixed(1)} s`);
  if (first !== null) await showDeliveries(demonstration, first);
  process.stdout.write(describeNextSteps(demo, { home: settings.home, keepsMails: !process.env.SMTP_URL, first }));
}

/** Loaded from the bundle, like the programs. */
async function loadDemonstration({ find }: Stack): Promise<typeof import('./start/demo/demonstrate.ts')> {
  return import(pathToFileURL(join(root, find('scripts/start/demo/demonstrate.ts'))).href);
}

async function stopAll(): Promise<void> {
  try {
    await stack?.stop();
    if (home !== null) restoreDemoFile(home.folder);
    home?.release();
    if (process.exitCode !== 1) print('Stopped');
  } catch (error) {
    fail(error);
    forceEnd(1);
  }
}

function fail(error: unknown): void {
  // What the first failure interrupted.
  if (ending.signal.aborted && error instanceof Error && error.name === 'AbortError') return;
  process.stderr.write(`\n${describeError(error)}\n`);
  process.exitCode = 1;
  ending.abort();
}

/** Kills all processes. The next start detects the interruption from the records. */
function forceEnd(code: number): never {
  stack?.kill();
  process.exit(code);
}

function untilAborted(): Promise<void> {
  // A promise alone does not keep the process running.
  const awake = setInterval(() => undefined, 60_000);
  return new Promise((resolve) => {
    const done = () => {
      clearInterval(awake);
      resolve();
    };
    if (ending.signal.aborted) done();
    ending.signal.addEventListener('abort', done, { once: true });
  });
}

function print(line: string): void {
  const seconds = ((Date.now() - started) / 1_000).toFixed(1).padStart(6);
  for (const part of line.split('\n')) process.stdout.write(`${seconds} s  ${part}\n`);
}
