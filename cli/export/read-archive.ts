/** Reads the files of an export. A truncated zip has no directory and is rejected as a whole. */
import { buffer } from 'node:stream/consumers';
import * as zlib from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { createFailure, Failure, Interrupted } from '../failure.ts';
import { MAX_ARCHIVE_BYTES } from './download.ts';

export interface ArchivedFile {
  /** The path in the archive, not yet checked. */
  path: string;
  read(): Promise<Buffer>;
}

/** A document has up to 1 MiB, a picture 10; lists of comments may be longer. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

export async function* readArchive(path: string, signal: AbortSignal): AsyncGenerator<ArchivedFile> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(rethrowAsDamaged);
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      bytes += entry.uncompressedSize;
      if (bytes > MAX_ARCHIVE_BYTES)
        throw createFailure(`The export unpacks to more than ${MAX_ARCHIVE_BYTES / 1024 ** 3} GiB.`);
      yield { path: entry.fileName, read: () => readContent(zip, entry) };
    }
  } catch (error) {
    rethrowAsDamaged(error);
  } finally {
    zip.close();
  }
}

async function readContent(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.uncompressedSize > MAX_FILE_BYTES)
    throw createFailure(`A file of the export has ${entry.uncompressedSize} bytes, which is too large.`);
  const bytes = await buffer(await zip.openReadStreamPromise(entry)).catch(rethrowAsDamaged);
  // yauzl does not check the CRC. Node has `crc32` since 20.15 and 22.2.
  const isIntact = typeof zlib.crc32 !== 'function' || zlib.crc32(bytes) === entry.crc32;
  return isIntact ? bytes : rethrowAsDamaged(new Error(`the checksum of ${entry.fileName} is wrong.`));
}

function rethrowAsDamaged(error: unknown): never {
  if (error instanceof Failure || error instanceof Interrupted) throw error;
  const { message } = error as Error;
  throw createFailure(`The export is damaged: ${message}`, { hints: ['Run the same command again.'], cause: error });
}
