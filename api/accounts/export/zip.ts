/**
 * Streams a zip, one file at a time. Compression runs outside of the event loop. No file is held in
 * memory after it is written.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ArchivedFile {
  path: string;
  changedAt: Date;
  content: Iterable<string> | AsyncIterable<string | Uint8Array>;
  /** The content is already compressed. */
  isCompressed?: boolean;
}

/**
 * Requests each file when the previous one starts to be written. A failure destroys the stream with
 * its error and truncates the zip.
 */
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
    const { path, changedAt, isCompressed = false } = next.value;
    // The zip references this callback until it ends, so the callback must release the content.
    let content: ArchivedFile['content'] | null = next.value.content;
    zip.addReadStreamLazy(path, { mtime: changedAt, compress: !isCompressed }, (write) => {
      write(null, Readable.from(content ?? []).on('error', fail));
      content = null;
      addNext().catch(fail);
    });
    copyEntryName(zip, path);
  };
  addNext().catch(fail);
  return output;
}

/**
 * Copies the name of the last entry. yazl stores names as slices of Node's pooled 64 KiB buffers,
 * which also contain compressed data. Without the copy, a name would retain its whole pool until
 * the end.
 */
function copyEntryName(zip: ZipFile, path: string): void {
  const { entries } = zip as unknown as { entries: { utf8FileName: Uint8Array }[] };
  const entry = entries.at(-1);
  if (entry) entry.utf8FileName = new TextEncoder().encode(path);
}
