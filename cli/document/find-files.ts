/** Expands the arguments of a command: files, folders (all Markdown below them) and patterns. */
import { realpathSync, statSync } from 'node:fs';
import { join, normalize, resolve } from 'node:path';
import { createInputFailure } from '../failure.ts';

/**
 * Returns each file once, in the order of the names; files of a folder or pattern are sorted by
 * name. Throws if a name matches nothing.
 */
export async function findFiles(names: string[]): Promise<string[]> {
  const found = new Map<string, string>();
  for (const name of names) {
    for (const file of await expand(name)) {
      // A link and its target are one file. If resolving fails, reading the file reports why.
      const path = attempt(() => realpathSync.native(file)) ?? resolve(file);
      if (!found.has(path)) found.set(path, file);
    }
  }
  return [...found.values()];
}

const MARKDOWN = '**/*.{md,mdx,markdown}';
/** Dependencies and hidden folders contain no articles. */
const IGNORED = ['**/node_modules/**', '**/.*/**'];

async function expand(name: string): Promise<string[]> {
  // If this fails, reading the file reports why.
  const found = attempt(() => statSync(name));
  if (found?.isDirectory()) {
    const files = (await match(MARKDOWN, name)).map((file) => normalize(join(name, file)));
    if (files.length > 0) return files;
    throw createInputFailure(`This folder contains no Markdown: ${name}`, {
      hints: [
        'The search covers .md, .mdx and .markdown files, also in subfolders. A symbolic link is followed only if you name it.',
      ],
    });
  }
  if (found !== null || !/[*?[{]/.test(name)) return [name];
  const files = await match(name, '.');
  if (files.length > 0) return files.map((file) => normalize(file));
  throw createInputFailure(`No file matches this pattern: ${name}`);
}

/** Synchronous: `node:fs/promises` takes longer to load than a few files to check. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

async function match(pattern: string, cwd: string): Promise<string[]> {
  const { glob } = await import('tinyglobby');
  const files = await glob(process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern, {
    cwd,
    ignore: IGNORED,
    expandDirectories: false,
    caseSensitiveMatch: pattern !== MARKDOWN,
    // A link may lead outside of the folder, or back up to it.
    followSymbolicLinks: false,
  });
  return files.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
