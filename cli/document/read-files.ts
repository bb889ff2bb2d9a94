/**
 * Reading files as `node:fs/promises` does. That module itself brings all that watches folders and edits lines along, and to load it takes as long
 * as half of a dry run.
 */
import { close, open, read, realpath, stat } from 'node:fs';
import { promisify } from 'node:util';

export const statFile = promisify(stat);
/** As the operating system says it. */
export const resolveLinks = promisify(realpath.native);

const openFile = promisify(open);
const readFrom = promisify(read);
const closeFile = promisify(close);

export interface OpenFile {
  /** The next bytes; none at the end. */
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
