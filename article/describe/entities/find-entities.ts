/** Finds people, products and places in the prose of a text, and identifiers in its code. */
import { dropAddresses } from '../../text/drop-addresses.ts';
import { findIdentifiers } from './identifiers.ts';
import { findNames } from './names.ts';

const MAX_TEXT = 100_000;
const ORDINARY = /(?<![\p{L}\p{N}_@/.-])\p{Ll}[\p{L}\p{N}]*(?![\p{L}\p{N}_/-]|\.\p{L})/gu;

export interface EntityInput {
  title: string;
  /**
   * Paragraphs, lists and quotations, one per line. Headings are left out: their capitals prove
   * nothing.
   */
  sentences: string;
  tags: string[];
  /** BCP 47; null if unknown. */
  language: string | null;
  inlineCode: string[];
}

/** At most 12 names, then at most 8 identifiers. Repeats are dropped regardless of case. */
export function findEntities({ title, sentences, tags, language, inlineCode }: EntityInput): string[] {
  const lines = dropAddresses(sentences.slice(0, MAX_TEXT)).split('\n');
  const text = lines.filter((line) => !isMenu(line)).join('\n');
  const ordinary = countOrdinary(text, inlineCode);
  const code = new Set(inlineCode);
  const names = findNames({ title, text, tags, language, ordinary }).filter((name) => !code.has(name));
  return dropRepeats([...names, ...findIdentifiers(inlineCode, ordinary)]);
}

/** True for languages, badges or chapters with bars between them. */
function isMenu(line: string): boolean {
  return line.split(/[|·•]/).length > 3;
}

/** How often the prose has a word in lower case. Occurrences in inline code are subtracted. */
function countOrdinary(text: string, inlineCode: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.match(ORDINARY) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const word of inlineCode.join('\n').match(ORDINARY) ?? []) counts.set(word, (counts.get(word) ?? 0) - 1);
  return counts;
}

function dropRepeats(names: string[]): string[] {
  const seen = new Map<string, string>();
  for (const name of names) if (!seen.has(name.toLowerCase())) seen.set(name.toLowerCase(), name);
  return [...seen.values()];
}
