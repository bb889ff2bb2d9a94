/**
 * Reads the scripts and style sheets of `browser/`, bundled by `npm run build:browser`, once each.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface BuiltFile {
  name: string;
  text: string;
  /** Contains a hash of the text, so that caches may store the file forever. */
  path: string;
}

const FOLDER = new URL('../../../browser/dist/', import.meta.url);
const cache = new Map<string, BuiltFile>();

export function getBuiltFile(name: string): BuiltFile {
  const found = cache.get(name) ?? readBuiltFile(name);
  cache.set(name, found);
  return found;
}

function readBuiltFile(name: string): BuiltFile {
  const text = read(name);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const [stem, ending] = name.split('.');
  return { name, text, path: `/assets/${stem}-${hash}.${ending}` };
}

function read(name: string): string {
  try {
    // A final line break would become part of an inline element.
    return readFileSync(new URL(name, FOLDER), 'utf8').trimEnd();
  } catch (error) {
    throw new Error(`browser/dist/${name} is missing. Run npm run build:browser.`, { cause: error });
  }
}
