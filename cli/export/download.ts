/** Downloads an archive to a file. Throws if it is incomplete. */
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createFailure, Failure, readSystemCode } from '../failure.ts';
import { USER_AGENT } from '../version.ts';

/** Larger than the data of any account, so that an endless response does not fill the disk. */
export const MAX_ARCHIVE_BYTES = 8 * 1024 ** 3;
/** The server builds the archive while sending it, so short pauses are normal. */
const MAX_SILENCE_MS = 60_000;
const RUN_AGAIN = { hints: ['Run the same command again.'] };

/** The URL is secret, so no message contains it. */
export async function downloadArchive(url: string, path: string, interruption: AbortSignal): Promise<void> {
  const { origin } = new URL(url);
  const silence = new AbortController();
  const message = `${origin} sent nothing for ${MAX_SILENCE_MS / 1_000} s; nothing was written.`;
  const timer = setTimeout(() => silence.abort(createFailure(message, RUN_AGAIN)), MAX_SILENCE_MS);
  const signal = AbortSignal.any([interruption, silence.signal]);
  try {
    const body = await request(url, signal);
    await pipeline(body, limitBytes(origin, timer), createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    // The abort reason is more precise than the error that the abort causes.
    signal.throwIfAborted();
    if (error instanceof Failure) throw error;
    const code = readSystemCode(error);
    const space = {
      hints: [`There is not enough space in ${tmpdir()}. Free some, or set TMPDIR to a folder with more space.`],
    };
    throw createFailure(`The export was interrupted (${code ?? 'connection lost'}); nothing was written.`, {
      ...(code === 'ENOSPC' || code === 'EDQUOT' ? space : RUN_AGAIN),
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

async function request(url: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const { origin } = new URL(url);
  const response = await fetch(url, { headers: { 'user-agent': USER_AGENT }, redirect: 'error', signal }).catch(
    (cause: unknown) => {
      const code = readSystemCode(cause) ?? 'no response';
      throw createFailure(`The export could not be downloaded from ${origin} (${code}).`, { cause });
    },
  );
  const { status, ok, headers, body } = response;
  if (ok && headers.get('content-type')?.startsWith('application/zip') && body !== null) return body as ReadableStream;
  await body?.cancel();
  if (status !== 429) throw createFailure(`${origin} returned ${status}, but no export.`);
  const seconds = Number(headers.get('retry-after'));
  const hint = seconds > 0 ? `Try again in ${Math.ceil(seconds / 60)} minutes.` : 'Try again later.';
  throw createFailure('You have reached the hourly limit of exports.', { hints: [hint] });
}

function limitBytes(origin: string, timer: NodeJS.Timeout) {
  return async function* (chunks: AsyncIterable<Uint8Array>) {
    let bytes = 0;
    for await (const chunk of chunks) {
      timer.refresh();
      bytes += chunk.length;
      if (bytes > MAX_ARCHIVE_BYTES)
        throw createFailure(`${origin} sent more than ${MAX_ARCHIVE_BYTES / 1024 ** 3} GiB; nothing was written.`);
      yield chunk;
    }
  };
}
