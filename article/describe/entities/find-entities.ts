/** Finds people, products and places in the prose of a text, and identifiers in its code. */
import { dropAddresses } from '../sentences.ts';
import { findNames } from './names.ts';

const MAX_TEXT = 100_000;
const ORDINARY = /(?<![\p{L}\p{N}_@/.-])\p{Ll}[\p{L}\p{N}]*(?![\p{L}\p{N}_/-]|\.\p{L})/gu;

export interface EntityInput {
  title: string;
  /** Paragraphs, lists and quotations, one per line. No headings: their capitals prove nothing. */
  sentences: string;
  tags: string[];
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

const MAX_IDENTIFIERS = 8;
const IDENTIFIER = /^[@$]?[\p{L}_][\p{L}\p{N}_$]*(?:(?:::|[./:#-])[@$]?[\p{L}\p{N}_][\p{L}\p{N}_$]*)*$/u;
/** Keywords and literals of programming languages. */
const RESERVED = new Set(
  'true false null none nil undefined nan if else elif for while do switch case match when and or not in is of as let const var val fn func function def class struct enum trait impl type interface return yield await async break continue import export from default new delete this self super void int integer string str bool boolean float double number char byte object array list map set any unknown never static public private protected final abstract virtual override try catch finally throw throws raise with using use mut ref where select insert update get put post patch head options title id name value key keys values data item items index result error errors message info warning debug ok yes no on off main test tests foo bar baz qux input output size length count start end first last'.split(
    ' ',
  ),
);

/** At most eight, most frequent first. Drops those that are more frequent in `ordinary`. */
function findIdentifiers(inlineCode: string[], ordinary: ReadonlyMap<string, number>): string[] {
  const counts = new Map<string, number>();
  for (const code of inlineCode) {
    const name = code.trim().replace(/\(\)$/, '');
    if (name.length < 2 || name.length > 40 || !IDENTIFIER.test(name) || RESERVED.has(name.toLowerCase())) continue;
    // Examples use `x.field` for arbitrary objects.
    if (/^\p{L}[.:]/u.test(name)) continue;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .filter(([name, count]) => (ordinary.get(name) ?? 0) <= count)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_IDENTIFIERS)
    .map(([name]) => name);
}
