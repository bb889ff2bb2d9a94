/** A part of the product as a process of its own, as `npm run` starts it, for tests that kill and freeze it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';

export interface ServerProcess {
  /** Resolves once it is ready; it must not be running. */
  start(): Promise<void>;
  /** Does nothing where none is running. */
  kill(): Promise<void>;
  /** As `kill`, and then `start`. */
  restart(): Promise<void>;
  /** Asks it to stop; its exit code, null where a signal ended it. */
  stop(): Promise<number | null>;
  /** What it has written to its log since it was started, one line of JSON each. */
  output(): string;
  /** It stays where it is, its connections open, and does nothing until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Also while it is frozen. */
  isRunning(): boolean;
}

export interface ServerProcessOptions {
  /** Of `node`: its flags and the script. */
  args: readonly string[];
  env: Record<string, string>;
  /** Where its code is; by default this repository. */
  root?: string;
  /** Asked until it says yes. */
  isReady: (output: string) => boolean | Promise<boolean>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_WITHIN_MS = 240_000;

/** Nothing is started yet. */
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
