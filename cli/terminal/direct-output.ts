/**
 * stdout and stderr for files and pipes, written at once. Node's streams for them load a sixth of a dry run: they are only opened for a
 * terminal, and where a pipe is full and does not wait.
 */
import { fstatSync, writeSync } from 'node:fs';
import { readSystemCode } from '../failure.ts';

interface Stream {
  write(text: string | Uint8Array): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** `openStream` is called at most once. `onError` gets what a write fails with, as a stream's listener would. */
export function openOutput(fd: number, openStream: () => Stream, onError: (error: Error) => void): Stream {
  if (!isFileOrPipe(fd)) return openStream();
  let stream: Stream | null = null;
  return {
    write: (text) => {
      if (stream !== null) return stream.write(text);
      const rest = writeDirectly(fd, Buffer.from(text), onError);
      if (rest === null) return;
      // What follows must not overtake it.
      stream = openStream();
      stream.write(rest);
    },
  };
}

/** Windows writes to a pipe in its own ways, and may say that a terminal is one. */
function isFileOrPipe(fd: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    const stats = fstatSync(fd);
    return stats.isFile() || stats.isFIFO() || stats.isSocket();
  } catch {
    // The stream will say what is wrong with it.
    return false;
  }
}

/** Returns what a pipe did not take, if it does not wait for its reader. */
function writeDirectly(fd: number, bytes: Uint8Array, onError: (error: Error) => void): Uint8Array | null {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    if (readSystemCode(error) === 'EAGAIN') return bytes.subarray(written);
    onError(error as Error);
  }
  return null;
}
