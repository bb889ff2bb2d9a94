/**
 * Watches the log of a running part for expected lines and for warnings to show.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { findWarning, followLog } from './log-file.ts';

export interface PartLog {
  /** Resolves when a line that contains `text` was written since the part started. */
  sawLine(text: string): Promise<void>;
  /** Whether warnings are shown; off at first, since most warnings during a start are only about waiting for other parts. */
  mention(wanted: boolean): void;
  stop(): void;
}

export function watchLog(name: string, file: string, say: (line: string) => void): PartLog {
  const expected: { text: string; found: () => void }[] = [];
  let mentioning = false;
  let budget = MENTIONS_PER_PERIOD;
  const refill = setInterval(() => {
    budget = MENTIONS_PER_PERIOD;
  }, MENTION_PERIOD_MS);

  const follower = followLog(file, (line) => {
    for (const { text, found } of expected) if (line.includes(text)) found();
    const warning = mentioning ? findWarning(line) : null;
    if (warning === null || budget < 0) return;
    budget -= 1;
    say(budget < 0 ? `${name}: more warnings in logs/${basename(file)}` : `${name}: ${warning}`);
  });
  return {
    sawLine: (text) => new Promise((found) => expected.push({ text, found })),
    mention(wanted) {
      mentioning = wanted;
    },
    stop() {
      clearInterval(refill);
      follower.stop();
    },
  };
}

/** The last lines of a log, to show why a part did not start. */
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
  return [`Its log (${file}) ends with:`, ...lines.map((line) => `  ${line}`)].join('\n');
}

const MENTIONS_PER_PERIOD = 5;
const MENTION_PERIOD_MS = 10_000;
