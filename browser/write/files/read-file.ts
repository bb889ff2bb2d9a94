/** Reads a file like the command line: checks its size, then that it is text. */
import { MAX_CONTENT_BYTES } from '../../../article/content-limit.ts';
import { isPicture, PICTURES_NOT_ACCEPTED_MESSAGE } from '../../../article/images/picture-file.ts';
import { decodeText } from '../../../article/text/decode-text.ts';

/** UTF-16 takes up to twice the bytes of the UTF-8 that is sent. */
const MAX_FILE_BYTES = 2 * MAX_CONTENT_BYTES + 2;

export type ReadFile = { text: string } | { problem: string };

/** Never throws. Reads only the first bytes of a file that is too large. */
export async function readFile(file: File): Promise<ReadFile> {
  try {
    const head = new Uint8Array(await file.slice(0, 256).arrayBuffer());
    if (isPicture(file, head)) return { problem: PICTURES_NOT_ACCEPTED_MESSAGE };
    if (file.size > MAX_FILE_BYTES) return { problem: describeSize(file.size) };
    const text = decodeText(new Uint8Array(await file.arrayBuffer()));
    if (text.includes('\u0000')) return { problem: 'This is not a text file.' };
    if (text.trim() === '') return { problem: 'The file is empty.' };
    const bytes = new TextEncoder().encode(text).length;
    return bytes > MAX_CONTENT_BYTES ? { problem: describeSize(bytes) } : { text };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'The file cannot be read.' };
  }
}

function describeSize(bytes: number): string {
  return `The file is too large: it has ${(bytes / 1024 / 1024).toFixed(1)} MiB; the limit is 1 MiB.`;
}
