/**
 * Rotates and follows the log file of a part. The part writes it; the supervisor reads it to detect
 * readiness and to show warnings.
 */
import { closeSync, copyFileSync, existsSync, openSync, readSync, renameSync, statSync, truncateSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const ROTATE_BYTES = 5 * 1024 * 1024;
const POLL_MS = 100;
const CHUNK_BYTES = 64 * 1024;

/** Renames a large log to `<file>.1`, so that at most two files exist. */
export function rotateLog(file: string): void {
  if (existsSync(file) && statSync(file).size > ROTATE_BYTES) renameSync(file, `${file}.1`);
}

/**
 * Copies and truncates the log of a running part, which keeps the file open and appends. A line
 * that is written in between is lost.
 */
function rotateOpenLog(file: string): void {
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

export interface LogFollower {
  /** Reads the remaining lines and stops. */
  stop(): void;
}

/**
 * Calls `onLine` for each new line, and rotates a large file. Polls, because file events are
 * unreliable on network and shared folders.
 */
export function followLog(
  file: string,
  onLine: (line: string) => void,
  { rotateBytes = ROTATE_BYTES }: { rotateBytes?: number } = {},
): LogFollower {
  let position = measureSize(file);
  let rest = '';
  const decoder = new StringDecoder('utf8');
  const read = () => {
    const size = measureSize(file);
    // Another process has truncated the file.
    if (size < position) position = 0;
    if (size <= position) return;
    const descriptor = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(CHUNK_BYTES);
      for (let count = 1; count > 0; ) {
        count = readSync(descriptor, buffer, 0, CHUNK_BYTES, position);
        position += count;
        const lines = (rest + decoder.write(buffer.subarray(0, count))).split('\n');
        // An endless line (or a file of zeros) must not exhaust the memory.
        rest = (lines.pop() ?? '').slice(0, CHUNK_BYTES);
        for (const line of lines) onLine(line);
      }
    } finally {
      closeSync(descriptor);
    }
  };
  const readAndRotate = () => {
    read();
    if (position <= rotateBytes) return;
    rotateOpenLog(file);
    position = 0;
  };
  const timer = setInterval(readAndRotate, POLL_MS);
  return {
    stop() {
      clearInterval(timer);
      read();
    },
  };
}

/** Returns the warning or error in a log line, shortened for the terminal; null for other lines. */
export function findWarning(line: string): string | null {
  if (!line.startsWith('{')) {
    // PostgreSQL: an ERROR is a failed statement, which its client handles. Temporal: warnings and
    // errors concern its own polling; it exits if it cannot continue.
    return /\b(FATAL|PANIC):|\blevel=FATAL\b/.test(line) ? line.slice(0, MAX_WARNING_LENGTH) : null;
  }
  const entry = parse(line);
  if (entry === null) return null;
  const { level, msg, message, err, error } = entry;
  const serious = typeof level === 'number' ? level >= 40 : /^(warn|warning|error|fatal)$/i.test(String(level ?? ''));
  if (!serious) return null;
  const cause = typeof err === 'object' && err !== null && 'message' in err ? err.message : error;
  const text = [msg ?? message, cause].filter((part): part is string => typeof part === 'string').join(': ');
  return (text || line).slice(0, MAX_WARNING_LENGTH);
}

const MAX_WARNING_LENGTH = 300;

function measureSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    // Not JSON.
    return null;
  }
}
