/**
 * Runs the real `scripts/start.ts` for tests, on free ports, with a separate home and captured
 * output.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DemoFile } from '../../../scripts/start/demo/demo-file.ts';
import { findFreePort } from '../../../scripts/start/ports.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Creates the environment of a start without conflicts: free ports, a new home, embedded parts. */
export async function makeSurroundings(): Promise<{ env: NodeJS.ProcessEnv; home: string; remove(): void }> {
  const home = mkdtempSync(join(tmpdir(), 'courant-start-'));
  const { DATABASE_URL: _, TEMPORAL_ADDRESS: __, ...env } = process.env;
  const ports: Record<string, string> = {};
  for (const name of ['PORT', 'SANDBOX_PORT', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']) {
    ports[name] = String(await findFreePort());
  }
  return {
    env: { ...env, ...ports, COURANT_HOME: home, BASE_URL: '', API_URL: '' },
    home,
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

export interface CourantProcess {
  child: ChildProcess;
  output(): string;
  /**
   * Resolves with the first matching line. Rejects if the process ends or the time runs out before.
   */
  waitForLine(pattern: RegExp, timeoutMs: number): Promise<string>;
  /** The exit code or signal. */
  ended: Promise<number | NodeJS.Signals | null>;
}

export function startCourant(env: NodeJS.ProcessEnv): CourantProcess {
  // Not detached, so that an interruption of the test run also reaches this process, which stops
  // its parts in order.
  const child = spawn(process.execPath, ['scripts/start.ts'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  let over = false;
  void ended.then(() => {
    over = true;
  });
  return {
    child,
    output: () => printed,
    ended,
    async waitForLine(pattern, timeoutMs) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const line = printed.split('\n').find((candidate) => pattern.test(candidate));
        if (line !== undefined) return line;
        if (over || Date.now() > deadline) throw new Error(`No line matches ${pattern}. What was printed:\n${printed}`);
        await sleep(25);
      }
    },
  };
}

export function readDemoFile(home: string): DemoFile {
  return JSON.parse(readFileSync(join(home, 'demo.json'), 'utf8')) as DemoFile;
}

/** Repeats `check` until it returns true. */
export async function eventually(
  what: string,
  timeoutMs: number,
  check: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${what}`);
    await sleep(50);
  }
}
