/**
 * Finds names in a text. In English, capitalised phrases are collected by pattern, and a tagger checks each distinct
 * phrase once: running it over whole sentences costs 10 µs a character, ten times the rest of a publish.
 */
import { ENGLISH_MARKS } from './stop-words.ts';

const MAX_TEXT = 100_000;
const MAX_NAMES = 12;
const MAX_IDENTIFIERS = 8;
/** Only so many phrases are given to the tagger. */
const MAX_CANDIDATES = 30;
const REMEMBERED = 2_000;

/** Names, then identifiers from code. In languages other than English, the tags replace the names. At most 20. */
export async function findEntities(prose: string, tags: string[], inlineCode: string[]): Promise<string[]> {
  const identifiers = findIdentifiers(inlineCode);
  const text = prose.slice(0, MAX_TEXT);
  const names = isEnglish(text) ? await findNames(text) : tags;
  return dropRepeats([...names.slice(0, MAX_NAMES), ...identifiers]);
}

/** True if at least an eighth of the first words are among those found in every English text. */
export function isEnglish(text: string): boolean {
  const words =
    text
      .slice(0, 4_000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const marks = words.filter((word) => ENGLISH_MARKS.has(word)).length;
  return words.length >= 8 && marks / words.length >= 0.125;
}

async function findNames(text: string): Promise<string[]> {
  const candidates = findCandidates(text);
  if (candidates.length === 0) return [];
  const isName = await loadNameCheck();
  return candidates.filter(isName);
}

const WORD = "\\p{Lu}[\\p{L}\\p{N}]*(?:['’.&+-][\\p{L}\\p{N}]+)*[+#]{0,2}";
const PHRASE = new RegExp(`${WORD}(?: (?:of |for |and the |the )?${WORD}){0,3}`, 'gu');

/** Capitalised phrases whose capital is not just the start of a sentence, most frequent first. */
function findCandidates(text: string): string[] {
  const inside = new Map<string, number>();
  const atStart = new Map<string, number>();
  for (const match of text.matchAll(PHRASE)) {
    const before = text.slice(Math.max(0, match.index - 2), match.index);
    const isStart = match.index === 0 || /[\n.!?:•"“(]\s?$/.test(before);
    const phrase = match[0].replace(/['’]s$/, '');
    const counts = isStart && !phrase.includes(' ') && !/\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u.test(phrase) ? atStart : inside;
    if (phrase.length > 1 && phrase.length <= 60) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  for (const [phrase, count] of atStart) {
    const own = inside.get(phrase);
    if (own !== undefined) inside.set(phrase, own + count);
  }
  return [...inside]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_CANDIDATES)
    .map(([phrase]) => phrase);
}

let nameCheck: Promise<(phrase: string) => boolean> | undefined;
const checkedPhrases = new Map<string, boolean>();

/** The tagger has a lexicon of 14,000 words, so it is loaded with the first English article. */
function loadNameCheck(): Promise<(phrase: string) => boolean> {
  nameCheck ??= import('compromise/two').then(({ default: nlp }) => (phrase: string) => {
    const known = checkedPhrases.get(phrase);
    if (known !== undefined) return known;
    const doc = nlp(phrase);
    const isNoName = doc.has(
      '^(#Date|#Month|#WeekDay|#Pronoun|#Determiner|#Conjunction|#Preposition|#QuestionWord|#Value)+$',
    );
    const isName =
      !isNoName && (phrase.includes(' ') || doc.has('(#ProperNoun|#Acronym|#Organization|#Person|#Place|#Noun)'));
    if (checkedPhrases.size >= REMEMBERED) checkedPhrases.clear();
    checkedPhrases.set(phrase, isName);
    return isName;
  });
  return nameCheck;
}

/** Identifiers in inline code, most frequent first. */
function findIdentifiers(inlineCode: string[]): string[] {
  const counts = new Map<string, number>();
  for (const code of inlineCode) {
    const name = code.trim().replace(/\(\)$/, '');
    if (name.length < 2 || name.length > 40 || !/^[@$_\p{L}][\w$@./:#+-]*$/u.test(name)) continue;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_IDENTIFIERS)
    .map(([name]) => name);
}

function dropRepeats(names: string[]): string[] {
  const seen = new Map<string, string>();
  for (const name of names) if (!seen.has(name.toLowerCase())) seen.set(name.toLowerCase(), name);
  return [...seen.values()];
}
