/** Rotates and reads the log file of a part, which the part writes itself. */
import { closeSync, copyFileSync, openSync, readSync, renameSync, statSync, truncateSync } from 'node:fs';

const ROTATE_BYTES = 5 * 1024 * 1024;
const POLL_MS = 100;
const CHUNK_BYTES = 64 * 1024;
const MAX_WARNING_LENGTH = 300;

/** Renames a large log to `<file>.1`, so that at most two files exist. */
export function rotateLog(file: string): void {
  if (measureSize(file) > ROTATE_BYTES) renameSync(file, `${file}.1`);
}

/**
 * Calls `onLine` for each new line until the returned function is called, and rotates a large file.
 * Polls, because file events are unreliable on network and shared folders.
 */
export function followLog(file: string, onLine: (line: string) => void, rotateBytes = ROTATE_BYTES): () => void {
  let position = measureSize(file);
  const read = () => {
    for (let bytes = readBytes(file, position); bytes.length > 0; bytes = readBytes(file, position)) {
      // The rest of a line is read again with its end, unless it is endless.
      const end = bytes.lastIndexOf('\n') + 1 || (bytes.length === CHUNK_BYTES ? bytes.length : 0);
      if (end === 0) return;
      position += end;
      for (const line of bytes.toString('utf8', 0, end).trimEnd().split('\n')) onLine(line);
    }
  };
  const timer = setInterval(() => {
    read();
    if (position <= rotateBytes) return;
    // The part keeps the file open and appends. A line that is written in between is lost.
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
    position = 0;
  }, POLL_MS);
  return () => {
    clearInterval(timer);
    read();
  };
}

/** Returns the warning or error in a log line, shortened for the terminal; null for other lines. */
export function findWarning(line: string): string | null {
  if (!line.startsWith('{')) {
    // PostgreSQL: an ERROR is a failed statement, which its client handles. Temporal: warnings and
    // errors concern its own polling; it exits if it cannot continue.
    return /\b(FATAL|PANIC):|\blevel=FATAL\b/.test(line) ? line.slice(0, MAX_WARNING_LENGTH) : null;
  }
  try {
    const { level, msg, err } = JSON.parse(line) as { level?: number; msg?: string; err?: { message?: string } };
    const text = [msg, err?.message].filter((part) => part !== undefined).join(': ');
    return (level ?? 0) < 40 ? null : (text || line).slice(0, MAX_WARNING_LENGTH);
  } catch {
    return null;
  }
}

/** Returns the last lines of a log, to explain a failed start. */
export function readLogEnd(file: string): string {
  const text = readBytes(file, Math.max(0, measureSize(file) - 4_000)).toString('utf8');
  const lines = text.trimEnd().split('\n').slice(-12);
  return [`Last lines of its log (${file}):`, ...lines.map((line) => `  ${line}`)].join('\n');
}

function measureSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function readBytes(file: string, position: number): Buffer {
  if (measureSize(file) <= position) return Buffer.alloc(0);
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, CHUNK_BYTES, position));
  } finally {
    closeSync(descriptor);
  }
}
