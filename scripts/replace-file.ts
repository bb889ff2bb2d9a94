/** Files that a build makes: whoever reads one meanwhile sees no half of it. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

/** As `replaceFile`, where the text is another one. */
export function updateFile(path: string, text: string): void {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) replaceFile(path, text);
}
