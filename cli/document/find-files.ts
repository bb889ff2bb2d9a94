/** The files that a command line names: files, folders (all Markdown below them) and patterns, which not every shell expands. */
import { join, normalize, resolve } from 'node:path';
import { createInputFailure, readSystemCode } from '../failure.ts';
import { resolveLinks, statFile } from './read-files.ts';

/** Each file once: those named first come first, those of one folder or pattern by name. Throws where one names nothing. */
export async function findFiles(names: string[]): Promise<string[]> {
  const found = new Map<string, string>();
  for (const name of names) {
    for (const file of await expand(name)) {
      const place = await locate(file);
      if (!found.has(place)) found.set(place, file);
    }
  }
  return [...found.values()];
}

const MARKDOWN = '**/*.{md,mdx,markdown}';
/** Neither is anybody's own writing. */
const IGNORED = ['**/node_modules/**', '**/.*/**'];

async function expand(name: string): Promise<string[]> {
  const kind = await look(name);
  if (kind === 'folder') {
    const files = (await match(MARKDOWN, name)).map((file) => normalize(join(name, file)));
    if (files.length > 0) return files;
    throw createInputFailure(`There is no Markdown in this folder: ${name}`, {
      hints: [
        'Files that end in .md, .mdx or .markdown are looked for, in its folders too. A link is only followed where it is named itself.',
      ],
    });
  }
  if (kind === 'file' || !/[*?[{]/.test(name)) return [name];
  const files = await match(name, '.');
  if (files.length > 0) return files.map((file) => normalize(file));
  throw createInputFailure(`No file matches this pattern: ${name}`);
}

/** A link and the file that it leads to are one. What is not there is left to reading, which says why. */
async function locate(file: string): Promise<string> {
  try {
    return await resolveLinks(file);
  } catch (error) {
    if (readSystemCode(error) === undefined) throw error;
    return resolve(file);
  }
}

/** What cannot be looked at is left to reading, which says why. */
async function look(name: string): Promise<'file' | 'folder' | 'nothing'> {
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
    // A link may lead anywhere: out of what was meant to be published, or back up to where it is.
    followSymbolicLinks: false,
  });
  return files.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}
