/**
 * Writes synchronously to files and pipes. Loading Node's streams takes a sixth of a dry run, so
 * they are opened only for a terminal, or when a non-blocking pipe is full.
 */
import { fstatSync, writeSync } from 'node:fs';
import { readSystemCode } from '../failure.ts';

interface Stream {
  write(text: string | Uint8Array): unknown;
  isTTY?: boolean;
  columns?: number;
}

/**
 * `openStream` is called at most once. `onError` receives write errors, like a stream's listener.
 */
export function openOutput(fd: number, openStream: () => Stream, onError: (error: Error) => void): Stream {
  if (!isFileOrPipe(fd)) return openStream();
  let stream: Stream | null = null;
  return {
    write: (text) => {
      if (stream !== null) return stream.write(text);
      const rest = writeDirectly(fd, Buffer.from(text), onError);
      if (rest === null) return;
      // Later writes go to the stream too, to preserve the order.
      stream = openStream();
      stream.write(rest);
    },
  };
}

/** Windows handles pipes differently, and may report a terminal as one. */
function isFileOrPipe(fd: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    const stats = fstatSync(fd);
    return stats.isFile() || stats.isFIFO() || stats.isSocket();
  } catch {
    // The stream reports the error.
    return false;
  }
}

/** Returns the bytes that a full, non-blocking pipe did not accept; null if all are written. */
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
