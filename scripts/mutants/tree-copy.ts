/** Creates a copy of the tree for mutants, so that the checkout never changes. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Untracked build outputs that tests read. Copied. */
const UNTRACKED = ['browser/dist', 'cli/dist'];
const PACKAGES = ['node_modules', 'cli/node_modules'];

export interface TreeCopy {
  root: string;
  read(file: string): string;
  write(file: string, text: string): void;
  remove(): void;
}

/** Copies the files on disk, committed or not. */
export function copyTree(root: string): TreeCopy {
  const copy = mkdtempSync(join(tmpdir(), 'courant-mutants-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const files = listed.toString().split('\0');
  for (const file of [...files, ...UNTRACKED]) {
    const from = join(root, file);
    if (file === '' || !existsSync(from)) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(from, join(copy, file), { recursive: true });
  }
  for (const folder of PACKAGES) {
    if (existsSync(join(root, folder))) symlinkSync(join(root, folder), join(copy, folder));
  }
  return {
    root: copy,
    read: (file) => readFileSync(join(copy, file), 'utf8'),
    write: (file, text) => writeFileSync(join(copy, file), text),
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}
