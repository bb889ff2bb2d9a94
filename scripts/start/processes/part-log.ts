/** Watches the log of a running part for expected lines and for warnings to show. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { findWarning, followLog } from './log-file.ts';

export interface PartLog {
  /** Resolves when the part has written a line that contains `text`. */
  waitForLine(text: string): Promise<void>;
  /**
   * Enables warnings. Off during a start, when most warnings only concern waiting for other parts.
   */
  showWarnings(enabled: boolean): void;
  stop(): void;
}

export function watchLog(name: string, file: string, print: (line: string) => void): PartLog {
  const expected: { text: string; found: () => void }[] = [];
  let isEnabled = false;
  let budget = MAX_WARNINGS_PER_PERIOD;
  const refill = setInterval(() => {
    budget = MAX_WARNINGS_PER_PERIOD;
  }, WARNING_PERIOD_MS);

  const follower = followLog(file, (line) => {
    for (const { text, found } of expected) if (line.includes(text)) found();
    const warning = isEnabled ? findWarning(line) : null;
    if (warning === null || budget < 0) return;
    budget -= 1;
    print(budget < 0 ? `${name}: more warnings in logs/${basename(file)}` : `${name}: ${warning}`);
  });
  return {
    waitForLine: (text) => new Promise((found) => expected.push({ text, found })),
    showWarnings(enabled) {
      isEnabled = enabled;
    },
    stop() {
      clearInterval(refill);
      follower.stop();
    },
  };
}

/** Returns the last lines of a log, to explain a failed start. */
export function readLogEnd(file: string): string {
  const size = statSync(file).size;
  const buffer = Buffer.alloc(Math.min(size, 4_000));
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
  } finally {
    closeSync(descriptor);
  }
  const lines = buffer.toString('utf8').trimEnd().split('\n').slice(-12);
  return [`Last lines of its log (${file}):`, ...lines.map((line) => `  ${line}`)].join('\n');
}

const MAX_WARNINGS_PER_PERIOD = 5;
const WARNING_PERIOD_MS = 10_000;
