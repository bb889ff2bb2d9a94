/**
 * The log of one part: a file that the part writes and that the supervisor follows, to see it get ready and to mention
 * its warnings on the terminal.
 */
import { closeSync, existsSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const ROTATE_BYTES = 5 * 1024 * 1024;
const POLL_MS = 100;
const CHUNK_BYTES = 64 * 1024;

/** Moves a log that has grown large to `<file>.1`, so that at most two such files are kept. */
export function rotateLog(file: string): void {
  if (existsSync(file) && statSync(file).size > ROTATE_BYTES) renameSync(file, `${file}.1`);
}

export interface LogFollower {
  /** Reads what is there by now and ends the following. */
  stop(): void;
}

/** Calls `onLine` for each line written from now on. Polled: file events are unreliable on network and shared folders. */
export function followLog(file: string, onLine: (line: string) => void): LogFollower {
  let position = sizeOf(file);
  let rest = '';
  const decoder = new StringDecoder('utf8');
  const read = () => {
    if (sizeOf(file) <= position) return;
    const descriptor = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(CHUNK_BYTES);
      for (let count = 1; count > 0; ) {
        count = readSync(descriptor, buffer, 0, CHUNK_BYTES, position);
        position += count;
        const lines = (rest + decoder.write(buffer.subarray(0, count))).split('\n');
        // A line without end (or a file of zeros) must not collect in memory.
        rest = (lines.pop() ?? '').slice(0, CHUNK_BYTES);
        for (const line of lines) onLine(line);
      }
    } finally {
      closeSync(descriptor);
    }
  };
  const timer = setInterval(read, POLL_MS);
  return {
    stop() {
      clearInterval(timer);
      read();
    },
  };
}

/** The warning or error in a log line, shortened for the terminal; null for anything else. */
export function findWarning(line: string): string | null {
  if (!line.startsWith('{')) {
    // PostgreSQL (its ERRORs are failed statements, which whoever sent them deals with) and Temporal (whose warnings
    // and errors are about its own polling; it ends when it cannot go on).
    return /\b(FATAL|PANIC):|\blevel=FATAL\b/.test(line) ? line.slice(0, MENTION_LENGTH) : null;
  }
  const entry = parse(line);
  if (entry === null) return null;
  const { level, msg, message, err, error } = entry;
  const serious = typeof level === 'number' ? level >= 40 : /^(warn|warning|error|fatal)$/i.test(String(level ?? ''));
  if (!serious) return null;
  const cause = typeof err === 'object' && err !== null && 'message' in err ? err.message : error;
  const text = [msg ?? message, cause].filter((part): part is string => typeof part === 'string').join(': ');
  return (text || line).slice(0, MENTION_LENGTH);
}

const MENTION_LENGTH = 300;

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    // Not JSON after all.
    return null;
  }
}
