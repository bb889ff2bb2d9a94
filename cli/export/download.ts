/** Downloads an archive into a file of its own, whole or not at all. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createFailure, readSystemCode } from '../failure.ts';
import { USER_AGENT } from '../version.ts';

/** The address is a secret: no message repeats it. */
export async function downloadArchive(url: string, path: string, signal: AbortSignal): Promise<void> {
  const where = new URL(url).origin;
  let answer: Response;
  try {
    answer = await fetch(url, { headers: { 'user-agent': USER_AGENT }, redirect: 'error', signal });
  } catch (error) {
    signal.throwIfAborted();
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
  try {
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), createWriteStream(path, { mode: 0o600 }), {
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw createFailure(
      `The export was broken off (${readSystemCode(error) ?? 'connection lost'}); nothing was written.`,
      {
        hints: ['Run the same command again.'],
        cause: error,
      },
    );
  }
}

function describeWait({ headers }: Response): string {
  const seconds = Number(headers.get('retry-after'));
  return seconds > 0 ? `Try again in ${Math.ceil(seconds / 60)} minutes.` : 'Try again later.';
}
