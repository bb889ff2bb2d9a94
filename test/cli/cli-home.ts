/** Runs the built command line as a process with its own environment and home. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildCli, CLI_BUNDLE } from '../../scripts/build-cli.ts';

export const CLI_LAUNCHER = join(dirname(CLI_BUNDLE), '../bin/courant.js');

const CACHE = join(tmpdir(), `courant-cli-cache-${process.getuid?.() ?? 0}`);

/** A separate user and mount namespace, the only place where a test may fill a disk. */
export const CAN_MOUNT =
  process.platform === 'linux' && spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;

/** `script` of util-linux gives a program a terminal. */
export const ON_TERMINAL = {
  skip:
    (process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0) &&
    'needs script(1) of util-linux',
};

/** A well-formed token that no server knows. */
export const TOKEN = `courant_${'0123456789abcdef'.repeat(3)}`;

export interface CliResult {
  /** null if a signal ended the process. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CliRun {
  env?: Record<string, string>;
  /** Written to stdin, which is then closed. */
  input?: string;
  /** Leaves stdin open, for tests that type. */
  keepInput?: boolean;
  /** The working directory; by default the folder of the home. */
  cwd?: string;
  /** The interpreter; by default the one that runs the tests. */
  node?: string;
  /** Called with the running process, for signals. */
  onStart?: (child: ChildProcess) => void;
}

/** The folder of one test, with files to publish and credentials. */
export interface CliHome {
  folder: string;
  configFolder: string;
  /** Writes a file and returns its path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  run(args: string[], options?: CliRun): Promise<CliResult>;
  remove(): Promise<void>;
}

export async function createCliHome(): Promise<CliHome> {
  await buildOnce();
  const folder = await mkdtemp(join(tmpdir(), 'courant-cli-'));
  const configFolder = join(folder, 'config');
  return {
    folder,
    configFolder,
    async write(name, content) {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    },
    run: (args, options = {}) => runProcess(options.node ?? process.execPath, [CLI_LAUNCHER, ...args], folder, options),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Runs any program in the home and environment of a test, for steps that require a shell. */
export async function runProcess(
  program: string,
  args: string[],
  folder: string,
  { env = {}, input = '', keepInput = false, cwd = folder, onStart }: CliRun = {},
): Promise<CliResult> {
  const child = spawn(program, args, {
    cwd,
    // A clean environment: no SERVICE_TOKEN of the developer reaches a test, and no test reaches
    // the real home. All tests share V8's cache of the program.
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      XDG_CACHE_HOME: CACHE,
      COURANT_CONFIG_DIR: join(folder, 'config'),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
    });
  }
  // A program may end without reading its input, which must not fail the test.
  child.stdin.on('error', () => child.stdin.destroy());
  if (!keepInput) child.stdin.end(input);
  onStart?.(child);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, ...text };
}

/**
 * Runs a shell command on a terminal of `script` (util-linux). `answer` receives the output since
 * its last answer and returns the text to type, or null.
 */
export function runOnTerminal(
  command: string,
  folder: string,
  answer: (shown: string) => string | null,
  env: Record<string, string> = {},
): Promise<CliResult> {
  return runProcess('script', ['-qefc', command, '/dev/null'], folder, {
    keepInput: true,
    env: { TERM: 'xterm', ...env },
    onStart: (child) => {
      let shown = '';
      child.stdout?.on('data', (chunk: string) => {
        shown += chunk;
        const typed = answer(shown);
        if (typed === null) return;
        shown = '';
        child.stdin?.write(typed);
      });
    },
  });
}

let building: ReturnType<typeof buildCli> | undefined;

function buildOnce(): ReturnType<typeof buildCli> {
  building ??= buildCli();
  return building;
}
