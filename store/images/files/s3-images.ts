/** Stores pictures in S3 or alike. Signed in headers, so that logged addresses grant no access. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { formatImageName, type ImageName } from '../../../article/images/image-name.ts';
import { IMAGE_TYPES } from '../../../article/images/image-types.ts';
import { type ImageStore, ImageStoreError } from './image-store.ts';

export interface S3Settings {
  /** The address of the bucket, with an optional folder and without a trailing slash. */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const TIMEOUT_MS = 30_000;
const CHECK_KEY = 'courant-check';

export function createS3Images({ url, ...credentials }: S3Settings, timeoutMs = TIMEOUT_MS): ImageStore {
  // Without retries here, because callers retry.
  const client = new AwsClient({ ...credentials, service: 's3', retries: 0 });

  async function send(key: string, init: RequestInit): Promise<Response> {
    const { host } = new URL(url);
    // Limits the time until the headers. The reader of the body limits the rest.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    let response: Response;
    try {
      response = await client.fetch(`${url}/${key}`, { ...init, redirect: 'manual', signal: deadline.signal });
    } catch (error) {
      const cause = deadline.signal.aborted ? 'it did not respond in time' : readCause(error);
      throw new ImageStoreError(`${host} could not be reached: ${cause}`, { isPermanent: false, cause: error });
    } finally {
      clearTimeout(timer);
    }
    if (response.ok || response.status === 404) return response;
    return throwRefused(response, init.method, await readCode(response));
  }

  function throwRefused({ status }: Response, method: string | undefined, code: string | undefined): never {
    const isPermanent = status < 500 && status !== 408 && status !== 429;
    const why = code === undefined ? '' : `, ${code}`;
    throw new ImageStoreError(`${new URL(url).host} refused ${method} for a picture (HTTP ${status}${why}).`, {
      isPermanent,
    });
  }

  async function put(key: string, bytes: Uint8Array, headers: Record<string, string>): Promise<void> {
    const response = await send(key, { method: 'PUT', body: bytes as BodyInit, headers });
    if (response.ok) return discardBody(response);
    const code = await readCode(response);
    // Some services also respond with 404 for an unknown access key.
    if (code !== undefined && code !== 'NoSuchBucket') throwRefused(response, 'PUT', code);
    throw new ImageStoreError(`There is no bucket at ${url}.`, { isPermanent: true });
  }

  async function remove(key: string): Promise<void> {
    await discardBody(await send(key, { method: 'DELETE' }));
  }

  async function has(name: ImageName): Promise<boolean> {
    const response = await send(formatImageName(name), { method: 'HEAD' });
    await discardBody(response);
    return response.ok;
  }

  return {
    has,
    async put(name, bytes) {
      if (await has(name)) return;
      // The signature covers the hash of the content, so the service rejects damaged bytes.
      const headers = { 'content-type': IMAGE_TYPES[name.type], 'x-amz-content-sha256': name.hash };
      await put(formatImageName(name), bytes, headers);
    },
    async open(name) {
      const response = await send(formatImageName(name), { method: 'GET' });
      if (!response.ok || response.body === null) {
        await discardBody(response);
        return null;
      }
      const content = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
      return { bytes: Number(response.headers.get('content-length')), content };
    },
    remove: (name) => remove(formatImageName(name)),
    async check() {
      await put(CHECK_KEY, new TextEncoder().encode('Courant may write here.\n'), { 'content-type': 'text/plain' });
      await remove(CHECK_KEY);
    },
  };
}

async function discardBody(response: Response): Promise<void> {
  await response.body?.cancel();
}

/** The error code of S3, if any. Reads 4 KiB at most, because error bodies are short. */
async function readCode(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader();
  const first = await reader?.read().catch(() => undefined);
  await reader?.cancel().catch(() => undefined);
  const beginning = new TextDecoder().decode(first?.value?.subarray(0, 4_096));
  return /<Code>(\w{1,60})<\/Code>/.exec(beginning)?.[1];
}

function readCause(error: unknown): string {
  const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? message;
}
