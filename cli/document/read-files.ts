/**
 * Promise versions of `node:fs`. Loading `node:fs/promises`, with its watchers and line readers,
 * takes as long as half of a dry run.
 */
import { close, open, read, realpath, stat } from 'node:fs';
import { promisify } from 'node:util';

export const statFile = promisify(stat);
/** Resolved by the operating system. */
export const resolveLinks = promisify(realpath.native);

const openFile = promisify(open);
const readFrom = promisify(read);
const closeFile = promisify(close);

export interface OpenFile {
  /** Returns the next bytes; an empty buffer at the end. */
  read(): Promise<Buffer>;
  close(): Promise<void>;
}

const CHUNK_BYTES = 64 * 1024;

export async function openToRead(path: string): Promise<OpenFile> {
  const file = await openFile(path, 'r');
  return {
    async read() {
      const { bytesRead, buffer } = await readFrom(file, Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
      return buffer.subarray(0, bytesRead);
    },
    close: () => closeFile(file),
  };
}
