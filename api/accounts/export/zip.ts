/** A zip that is written while it is read: one file after the other, each compressed outside of the event loop, and none kept. */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ArchivedFile {
  path: string;
  changedAt: Date;
  content: Iterable<string> | AsyncIterable<string | Uint8Array>;
  /** Compressed by itself already. */
  isPacked?: boolean;
}

/** The next file is asked for when the one before is being written. A failure ends the stream with its error: the zip is broken off, never complete. */
export function streamZip(files: AsyncIterator<ArchivedFile>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: Error) => output.destroy(error);
  zip.on('error', fail);

  const addNext = async (): Promise<void> => {
    const next = await files.next();
    if (next.done) {
      zip.end();
      return;
    }
    const { path, changedAt, isPacked = false } = next.value;
    // The zip keeps this function until it ends: it must not keep what the file says.
    let content: ArchivedFile['content'] | null = next.value.content;
    zip.addReadStreamLazy(path, { mtime: changedAt, compress: !isPacked }, (write) => {
      write(null, Readable.from(content ?? []).on('error', fail));
      content = null;
      addNext().catch(fail);
    });
    keepNameApart(zip, path);
  };
  addNext().catch(fail);
  return output;
}

/**
 * The zip keeps the name of each file to its end, as a slice of a buffer that Node shares out for short texts: 64 KiB that also hold what was compressed
 * meanwhile, and would stay for the sake of the name. A copy of its own holds nothing else.
 */
function keepNameApart(zip: ZipFile, path: string): void {
  const { entries } = zip as unknown as { entries: { utf8FileName: Uint8Array }[] };
  const entry = entries.at(-1);
  if (entry) entry.utf8FileName = new TextEncoder().encode(path);
}
