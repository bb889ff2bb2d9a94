/** Downloads an archive into a file of its own, whole or not at all. */
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createFailure, Failure, readSystemCode } from '../failure.ts';
import { USER_AGENT } from '../version.ts';

/** More than any account holds: what goes on and on is no export, and must not fill the disk. */
export const MOST_BYTES = 8 * 1024 ** 3;
/** The server writes the archive while it sends it, so there may be pauses, but none like this. */
const MOST_SILENCE_MS = 60_000;

/** The address is a secret: no message repeats it. */
export async function downloadArchive(url: string, path: string, signal: AbortSignal): Promise<void> {
  const where = new URL(url).origin;
  const silence = watchSilence(where, signal);
  try {
    await download(url, path, { where, signal: silence.signal, onBytes: silence.heard });
  } catch (error) {
    // An end of ours says why itself.
    silence.signal.throwIfAborted();
    throw error;
  } finally {
    silence.stop();
  }
}

interface Download {
  where: string;
  signal: AbortSignal;
  /** Called whenever something has come. */
  onBytes: () => void;
}

async function download(url: string, path: string, { where, signal, onBytes }: Download): Promise<void> {
  let answer: Response;
  try {
    answer = await fetch(url, { headers: { 'user-agent': USER_AGENT }, redirect: 'error', signal });
  } catch (error) {
    throw createFailure(`The export could not be downloaded from ${where} (${readSystemCode(error) ?? 'no answer'}).`, {
      cause: error,
    });
  }
  const isArchive = answer.headers.get('content-type')?.startsWith('application/zip');
  if (answer.status === 429) {
    await answer.body?.cancel();
    throw createFailure('Everything was downloaded too often within an hour.', { hints: [describeWait(answer)] });
  }
  if (!answer.ok || !isArchive || answer.body === null) {
    await answer.body?.cancel();
    throw createFailure(`${where} answered ${answer.status}, but not with an export.`);
  }
  const body = Readable.fromWeb(answer.body as ReadableStream);
  try {
    await pipeline(body, count(where, onBytes), createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = readSystemCode(error);
    const hint = ['ENOSPC', 'EDQUOT'].includes(code ?? '')
      ? `There is no room for it in ${tmpdir()}: make some, or set TMPDIR to a folder that has it.`
      : 'Run the same command again.';
    throw createFailure(`The export was broken off (${code ?? 'connection lost'}); nothing was written.`, {
      hints: [hint],
      cause: error,
    });
  }
}

function count(where: string, onBytes: () => void): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      onBytes();
      if (bytes <= MOST_BYTES) done(null, chunk);
      else done(createFailure(`${where} sends more than ${MOST_BYTES / 1024 ** 3} GiB; nothing was written.`));
    },
  });
}

/** Aborted with `signal`, or where nothing has come for a while. (`AbortSignal.any` is not there before Node 20.3.) */
function watchSilence(where: string, signal: AbortSignal) {
  const controller = new AbortController();
  const interrupt = () => controller.abort(signal.reason);
  signal.throwIfAborted();
  signal.addEventListener('abort', interrupt, { once: true });
  const giveUp = () =>
    controller.abort(
      createFailure(`${where} has sent nothing for ${MOST_SILENCE_MS / 1_000} s; nothing was written.`, {
        hints: ['Run the same command again.'],
      }),
    );
  const timer = setTimeout(giveUp, MOST_SILENCE_MS);
  const stop = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', interrupt);
  };
  return { signal: controller.signal, heard: () => void timer.refresh(), stop };
}

function describeWait({ headers }: Response): string {
  const seconds = Number(headers.get('retry-after'));
  return seconds > 0 ? `Try again in ${Math.ceil(seconds / 60)} minutes.` : 'Try again later.';
}
