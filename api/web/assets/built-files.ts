/** The scripts and style sheets of `browser/`, bundled by `npm run build:browser` and read once. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface BuiltFile {
  name: string;
  text: string;
  /** Changes with the text, so that it may be kept for good. */
  path: string;
}

const FOLDER = new URL('../../../browser/dist/', import.meta.url);
const kept = new Map<string, BuiltFile>();

export function getBuiltFile(name: string): BuiltFile {
  const found = kept.get(name) ?? readBuiltFile(name);
  kept.set(name, found);
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
    // A line break at its end would be part of the element that it stands in.
    return readFileSync(new URL(name, FOLDER), 'utf8').trimEnd();
  } catch (error) {
    throw new Error(`browser/dist/${name} is not there: run npm run build:browser.`, { cause: error });
  }
}
