/** Replaces files atomically, so that concurrent readers never see a partial file. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function replaceFile(path: string, text: string, mode = 0o666): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text, { mode });
  renameSync(temporary, path);
}

/** Like `replaceFile`, but only if the text differs. */
export function updateFile(path: string, text: string): void {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) replaceFile(path, text);
}
