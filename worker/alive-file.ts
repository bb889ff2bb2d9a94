/** Rewrites a file every few seconds, by which a local supervisor detects a hanging process. */
import { writeFile } from 'node:fs/promises';
import type { Logger } from 'pino';

const EVERY_MS = 2_000;

export function startAliveFile(file: string, log: Pick<Logger, 'warn'>): void {
  const write = () =>
    writeFile(file, `${process.pid}\n`).catch((err: unknown) => log.warn({ err }, 'could not write the health file'));
  void write();
  setInterval(write, EVERY_MS).unref();
}
