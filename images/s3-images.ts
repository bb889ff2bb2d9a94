/** Pictures in a bucket of S3, or of what speaks like it. Each request is signed in its headers, so that no address that is logged opens anything. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { type ImageName, writeImageName } from './image-name.ts';
import { type ImageStore, ImageStoreError } from './image-store.ts';
import { IMAGE_TYPES } from './image-types.ts';

export interface S3Settings {
  /** Of the bucket, with the folder in it where there is one; without a slash at its end. */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const TIMEOUT_MS = 30_000;
const CHECKED = 'courant-check';

export function createS3Images({ url, ...credentials }: S3Settings, timeoutMs = TIMEOUT_MS): ImageStore {
  // Whoever asks tries again: nothing is repeated in here.
  const client = new AwsClient({ ...credentials, service: 's3', retries: 0 });

  async function ask(key: string, init: RequestInit): Promise<Response> {
    const { host } = new URL(url);
    // Up to the headers: how long a body takes is up to whoever reads it.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    let answer: Response;
    try {
      answer = await client.fetch(`${url}/${key}`, { ...init, redirect: 'manual', signal: deadline.signal });
    } catch (error) {
      const cause = deadline.signal.aborted ? 'it did not answer in time' : readCause(error);
      throw new ImageStoreError(`${host} could not be reached: ${cause}`, { isPermanent: false, cause: error });
    } finally {
      clearTimeout(timer);
    }
    if (answer.ok || answer.status === 404) return answer;
    return refuse(answer, init.method, await readCode(answer));
  }

  function refuse({ status }: Response, method: string | undefined, code: string | undefined): never {
    const isPermanent = status < 500 && status !== 408 && status !== 429;
    const why = code === undefined ? '' : `, ${code}`;
    throw new ImageStoreError(`${new URL(url).host} refused ${method} of a picture (HTTP ${status}${why}).`, {
      isPermanent,
    });
  }

  async function put(key: string, bytes: Uint8Array, headers: Record<string, string>): Promise<void> {
    const answer = await ask(key, { method: 'PUT', body: bytes as BodyInit, headers });
    if (answer.ok) return drop(answer);
    const code = await readCode(answer);
    // Some servers also say 404 of a key that they do not know.
    if (code !== undefined && code !== 'NoSuchBucket') refuse(answer, 'PUT', code);
    throw new ImageStoreError(`There is no bucket at ${url}.`, { isPermanent: true });
  }

  async function remove(key: string): Promise<void> {
    await drop(await ask(key, { method: 'DELETE' }));
  }

  async function has(name: ImageName): Promise<boolean> {
    const answer = await ask(writeImageName(name), { method: 'HEAD' });
    await drop(answer);
    return answer.ok;
  }

  return {
    has,
    async put(name, bytes) {
      if (await has(name)) return;
      // The signed hash is that of the content: a server that got other bytes refuses them.
      const headers = { 'content-type': IMAGE_TYPES[name.type], 'x-amz-content-sha256': name.hash };
      await put(writeImageName(name), bytes, headers);
    },
    async open(name) {
      const answer = await ask(writeImageName(name), { method: 'GET' });
      if (!answer.ok || answer.body === null) {
        await drop(answer);
        return null;
      }
      const content = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
      return { bytes: Number(answer.headers.get('content-length')), content };
    },
    remove: (name) => remove(writeImageName(name)),
    async check() {
      await put(CHECKED, new TextEncoder().encode('Courant may write here.\n'), { 'content-type': 'text/plain' });
      await remove(CHECKED);
    },
  };
}

async function drop(answer: Response): Promise<void> {
  await answer.body?.cancel();
}

/** S3's own word for why it refused; undefined where the answer has none. Refusals are short; what is longer is none. */
async function readCode(answer: Response): Promise<string | undefined> {
  const reader = answer.body?.getReader();
  const first = await reader?.read().catch(() => undefined);
  await reader?.cancel().catch(() => undefined);
  const beginning = new TextDecoder().decode(first?.value?.subarray(0, 4_096));
  return /<Code>(\w{1,60})<\/Code>/.exec(beginning)?.[1];
}

function readCause(error: unknown): string {
  const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? message;
}
