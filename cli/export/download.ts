/** Downloads an archive to a file. Throws if it is incomplete. */
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createFailure, Failure, readSystemCode } from '../failure.ts';
import { USER_AGENT } from '../version.ts';

/** Larger than the data of any account, so that an endless response does not fill the disk. */
export const MAX_ARCHIVE_BYTES = 8 * 1024 ** 3;
/** The server builds the archive while sending it, so short pauses are normal. */
const MAX_SILENCE_MS = 60_000;

/** The URL is secret, so no message contains it. */
export async function downloadArchive(url: string, path: string, signal: AbortSignal): Promise<void> {
  const origin = new URL(url).origin;
  const silence = watchSilence(origin, signal);
  try {
    await download(url, path, { origin, signal: silence.signal, onBytes: silence.refresh });
  } catch (error) {
    // The abort reason is more precise than the error that the abort causes.
    silence.signal.throwIfAborted();
    throw error;
  } finally {
    silence.stop();
  }
}

interface Download {
  origin: string;
  signal: AbortSignal;
  /** Called when bytes arrive. */
  onBytes: () => void;
}

async function download(url: string, path: string, { origin, signal, onBytes }: Download): Promise<void> {
  let response: Response;
  try {
    response = await fetch(url, { headers: { 'user-agent': USER_AGENT }, redirect: 'error', signal });
  } catch (error) {
    throw createFailure(
      `The export could not be downloaded from ${origin} (${readSystemCode(error) ?? 'no response'}).`,
      { cause: error },
    );
  }
  const isArchive = response.headers.get('content-type')?.startsWith('application/zip');
  if (response.status === 429) {
    await response.body?.cancel();
    throw createFailure('You have reached the hourly limit of exports.', { hints: [describeWait(response)] });
  }
  if (!response.ok || !isArchive || response.body === null) {
    await response.body?.cancel();
    throw createFailure(`${origin} returned ${response.status}, but no export.`);
  }
  const body = Readable.fromWeb(response.body as ReadableStream);
  try {
    await pipeline(body, countBytes(origin, onBytes), createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = readSystemCode(error);
    const hint = ['ENOSPC', 'EDQUOT'].includes(code ?? '')
      ? `There is not enough space in ${tmpdir()}. Free some, or set TMPDIR to a folder with more space.`
      : 'Run the same command again.';
    throw createFailure(`The export was interrupted (${code ?? 'connection lost'}); nothing was written.`, {
      hints: [hint],
      cause: error,
    });
  }
}

function countBytes(origin: string, onBytes: () => void): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      onBytes();
      if (bytes <= MAX_ARCHIVE_BYTES) done(null, chunk);
      else done(createFailure(`${origin} sent more than ${MAX_ARCHIVE_BYTES / 1024 ** 3} GiB; nothing was written.`));
    },
  });
}

/**
 * Returns a signal that aborts with `signal`, or if no bytes arrive for a while. (Node before 20.3
 * has no `AbortSignal.any`.)
 */
function watchSilence(origin: string, signal: AbortSignal) {
  const controller = new AbortController();
  const interrupt = () => controller.abort(signal.reason);
  signal.throwIfAborted();
  signal.addEventListener('abort', interrupt, { once: true });
  const abortSilent = () =>
    controller.abort(
      createFailure(`${origin} sent nothing for ${MAX_SILENCE_MS / 1_000} s; nothing was written.`, {
        hints: ['Run the same command again.'],
      }),
    );
  const timer = setTimeout(abortSilent, MAX_SILENCE_MS);
  const stop = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', interrupt);
  };
  return { signal: controller.signal, refresh: () => void timer.refresh(), stop };
}

function describeWait({ headers }: Response): string {
  const seconds = Number(headers.get('retry-after'));
  return seconds > 0 ? `Try again in ${Math.ceil(seconds / 60)} minutes.` : 'Try again later.';
}
