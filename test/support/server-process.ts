/** Runs an API or worker as a separate process, for tests that kill and freeze it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';

export interface ServerProcess {
  /** Resolves when it is ready. It must not be running. */
  start(): Promise<void>;
  /** Does nothing if it is not running. */
  kill(): Promise<void>;
  /** Calls `kill`, then `start`. */
  restart(): Promise<void>;
  /** Requests a stop. Returns the exit code; null if a signal ended it. */
  stop(): Promise<number | null>;
  /** The log since its start, one line of JSON per entry. */
  output(): string;
  /** Suspends it with its connections open until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** True while it is frozen as well. */
  isRunning(): boolean;
}

export interface ServerProcessOptions {
  /** The arguments of `node`: its flags and the script. */
  args: readonly string[];
  env: Record<string, string>;
  /** The folder of its code; by default this repository. */
  root?: string;
  /** Polled until it returns true. */
  isReady: (output: string) => boolean | Promise<boolean>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_WITHIN_MS = 240_000;

/** Does not start it. */
export function prepareServer({ args, env, isReady, root = ROOT }: ServerProcessOptions): ServerProcess {
  let child: ChildProcess | undefined;
  let output = '';
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    if (!child || hasEnded(child)) return child?.exitCode ?? null;
    const exited = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    const [code] = await exited;
    return code;
  };
  const server: ServerProcess = {
    async start() {
      const started = spawn(process.execPath, args, {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, ...env },
      });
      child = started;
      output = '';
      started.stdout?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      const isUp = async () => {
        if (hasEnded(started)) throw new Error(`${args.at(-1)} ended before it was ready: ${output}`);
        return isReady(output);
      };
      await eventually(`${args.at(-1)} to be ready`, isUp, { withinMs: READY_WITHIN_MS }).catch(
        async (error: unknown) => {
          await end('SIGKILL');
          throw error;
        },
      );
    },
    kill: async () => void (await end('SIGKILL')),
    async restart() {
      await server.kill();
      await server.start();
    },
    stop: () => end('SIGTERM'),
    output: () => output,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    isRunning: () => child !== undefined && !hasEnded(child),
  };
  return server;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
