/** Reads the author's file and reports problems of its bytes: type, size and encoding. */
import { close, open, read } from 'node:fs';
import { promisify } from 'node:util';
import { MAX_CONTENT_BYTES } from '../../article/content-limit.ts';
import { InvalidTextError } from '../../article/errors.ts';
import { isPicture, PICTURES_NOT_ACCEPTED_MESSAGE } from '../../article/images/picture-file.ts';
import { decodeText } from '../../article/text/decode-text.ts';
import { createInputFailure, type Failure, readSystemCode } from '../failure.ts';

/**
 * Returns the text without byte order mark. Throws if it is not text, is empty or exceeds 1 MiB.
 */
export async function readDocumentFile(path: string): Promise<string> {
  const bytes = await readBytes(path).catch((error: unknown) => {
    throw describeReadError(error, path);
  });
  if (bytes.length > MAX_FILE_BYTES) throw describeTooLarge(path, `more than ${MAX_FILE_BYTES} bytes`);
  const content = decodeBytes(bytes, path);
  if (content.trim() === '') throw createInputFailure(`The file is empty: ${path}`);
  if (content.includes('\0')) {
    throw createInputFailure(
      `${path} is not text: it contains NUL characters, like binary files and UTF-16 without a byte order mark.`,
    );
  }
  checkSize(content, path);
  return content;
}

/** Throws if the content is larger than the server accepts. */
export function checkSize(content: string, path: string): void {
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_CONTENT_BYTES) throw describeTooLarge(path, `${bytes} bytes`);
}

/** UTF-16 takes up to twice the bytes of the UTF-8 that is sent. A larger file is too large. */
const MAX_FILE_BYTES = 2 * MAX_CONTENT_BYTES + 2;

const CHUNK_BYTES = 64 * 1024;

/**
 * Reads a file, or more than it may have: pipes and devices have no size. Without streams and
 * `node:fs/promises`, which take longer to load.
 */
async function readBytes(path: string): Promise<Buffer> {
  const file = await promisify(open)(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; length <= MAX_FILE_BYTES; ) {
      const { bytesRead, buffer } = await promisify(read)(file, Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    return Buffer.concat(chunks);
  } finally {
    await promisify(close)(file);
  }
}

function decodeBytes(bytes: Buffer, path: string): string {
  if (isPicture({ name: path }, bytes))
    throw createInputFailure(`${path} is a picture. ${PICTURES_NOT_ACCEPTED_MESSAGE}`);
  try {
    return decodeText(bytes);
  } catch (error) {
    if (error instanceof InvalidTextError) throw createInputFailure(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

function describeTooLarge(path: string, size: string): Failure {
  return createInputFailure(`The file is too large: ${path} has ${size}; the limit is ${MAX_CONTENT_BYTES} (1 MiB).`);
}

const REASONS: Record<string, string> = {
  ENOENT: 'There is no such file',
  ENOTDIR: 'There is no such file',
  EISDIR: 'This is a folder, not a file',
  EACCES: 'You have no permission to read this file',
  EPERM: 'You have no permission to read this file',
  ELOOP: 'There are too many symbolic links in this path',
  ENAMETOOLONG: 'The file name is too long',
};

function describeReadError(error: unknown, path: string): Failure {
  const code = readSystemCode(error) ?? 'error';
  return createInputFailure(`${REASONS[code] ?? `The file cannot be read (${code})`}: ${path}`, { cause: error });
}
