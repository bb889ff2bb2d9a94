/** Parses the body of a form, in either encoding, in linear time. */
import { Busboy } from '@fastify/busboy';
import { ProblemError } from '../errors/problem.ts';

const MAX_FIELDS = 1_000;
/** Real forms have about 30 fields. Multipart parsing is slower, so its limit is lower. */
const MAX_MULTIPART_FIELDS = 100;
/** Of a part. Names and paths of files are shorter; a header is decoded in about 200 ns per byte. */
const MAX_HEADER_BYTES = 8 * 1024;

/** Throws a 400 for a body that does not match its Content-Type, and a 413 for too many fields. */
export async function parseForm(contentType: string, body: Buffer): Promise<FormData> {
  try {
    return await collectFields(contentType, body);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    // The parser's message would not help a client.
    throw new ProblemError(
      400,
      'malformed_form',
      'The body does not match its Content-Type, so nothing was changed. Send application/x-www-form-urlencoded or multipart/form-data.',
    );
  }
}

function collectFields(contentType: string, body: Buffer): Promise<FormData> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
      // The body is in memory, so nothing may pause: after a pause in a part that it skips, the
      // parser never finishes. No field can be longer than the body.
      fileHwm: body.length + 1,
      limits: {
        ...{ fields: MAX_FIELDS, parts: MAX_MULTIPART_FIELDS, headerSize: MAX_HEADER_BYTES },
        ...{ fieldSize: body.length, fileSize: body.length },
      },
    });
    parser.on('field', (name: string | undefined, value) => {
      if (name !== undefined) form.append(name, value);
    });
    parser.on('file', (name: string | undefined, file, fileName, _encoding, type) => {
      const chunks: Buffer<ArrayBuffer>[] = [];
      file.on('data', (chunk: Buffer<ArrayBuffer>) => chunks.push(chunk));
      file.on('error', reject);
      file.on('end', () => {
        if (name !== undefined) form.append(name, new File(chunks, fileName, { type }));
      });
    });
    parser.on('fieldsLimit', () => reject(createTooManyFieldsProblem(MAX_FIELDS)));
    parser.on('partsLimit', () => reject(createTooManyFieldsProblem(MAX_MULTIPART_FIELDS)));
    parser.on('error', reject);
    parser.on('finish', () => resolve(form));
    // The parser reports too many fields of a urlencoded body only when it gets more of it.
    parser.write(body.subarray(0, -1));
    parser.end(body.subarray(-1));
  });
}

function createTooManyFieldsProblem(limit: number): ProblemError {
  const detail = `The form has more than ${limit} fields. Nothing was changed; send fewer.`;
  return new ProblemError(413, 'too_many_fields', detail);
}
