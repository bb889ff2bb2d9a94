/** Expands the arguments of a command: files, folders (all Markdown below them) and patterns. */
import { join, normalize, resolve } from 'node:path';
import { createInputFailure, readSystemCode } from '../failure.ts';
import { resolveLinks, statFile } from './read-files.ts';

/**
 * Returns each file once, in the order of the names; files of a folder or pattern are sorted by
 * name. Throws if a name matches nothing.
 */
export async function findFiles(names: string[]): Promise<string[]> {
  const found = new Map<string, string>();
  for (const name of names) {
    for (const file of await expand(name)) {
      const path = await resolveRealPath(file);
      if (!found.has(path)) found.set(path, file);
    }
  }
  return [...found.values()];
}

const MARKDOWN = '**/*.{md,mdx,markdown}';
/** Dependencies and hidden folders contain no articles. */
const IGNORED = ['**/node_modules/**', '**/.*/**'];

async function expand(name: string): Promise<string[]> {
  const kind = await findKind(name);
  if (kind === 'folder') {
    const files = (await match(MARKDOWN, name)).map((file) => normalize(join(name, file)));
    if (files.length > 0) return files;
    throw createInputFailure(`This folder contains no Markdown: ${name}`, {
      hints: [
        'The search covers .md, .mdx and .markdown files, also in subfolders. A symbolic link is followed only if you name it.',
      ],
    });
  }
  if (kind === 'file' || !/[*?[{]/.test(name)) return [name];
  const files = await match(name, '.');
  if (files.length > 0) return files.map((file) => normalize(file));
  throw createInputFailure(`No file matches this pattern: ${name}`);
}

/** A link and its target are one file. If resolving fails, reading the file reports why. */
async function resolveRealPath(file: string): Promise<string> {
  try {
    return await resolveLinks(file);
  } catch (error) {
    if (readSystemCode(error) === undefined) throw error;
    return resolve(file);
  }
}

/** If this fails, reading the file reports why. */
async function findKind(name: string): Promise<'file' | 'folder' | 'nothing'> {
  try {
    return (await statFile(name)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (readSystemCode(error) === undefined) throw error;
    return 'nothing';
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
