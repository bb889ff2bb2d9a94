/** For a supervisor on the same machine: a file that is written anew every few seconds, as long as this process does anything at all. */
import { writeFile } from 'node:fs/promises';
import type { Logger } from 'pino';

const EVERY_MS = 2_000;

export function keepAliveFile(file: string, log: Pick<Logger, 'warn'>): void {
  const write = () =>
    writeFile(file, `${process.pid}\n`).catch((err: unknown) =>
      log.warn({ err }, 'the sign of life could not be written'),
    );
  void write();
  setInterval(write, EVERY_MS).unref();
}
