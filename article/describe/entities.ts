/**
 * Names in a text. In English, capitalised phrases are collected by pattern and each distinct one is judged once by a
 * tagger: running the tagger over whole sentences costs 10 µs a character, ten times all the rest of a publish.
 */
import { ENGLISH_MARKS } from './stop-words.ts';

const MAX_TEXT = 100_000;
const MAX_NAMES = 12;
const MAX_IDENTIFIERS = 8;
/** Phrases that are looked at closely. */
const MAX_CANDIDATES = 30;
const REMEMBERED = 2_000;

/** Names, then identifiers in code; in other languages than English the tags and identifiers. At most 20. */
export async function entitiesOf(prose: string, tags: string[], inlineCode: string[]): Promise<string[]> {
  const identifiers = identifiersOf(inlineCode);
  const text = prose.slice(0, MAX_TEXT);
  const names = isEnglish(text) ? await namesOf(text) : tags;
  return unique([...names.slice(0, MAX_NAMES), ...identifiers]);
}

/** At least an eighth of the first words are those that every English text has. */
export function isEnglish(text: string): boolean {
  const words =
    text
      .slice(0, 4_000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const marks = words.filter((word) => ENGLISH_MARKS.has(word)).length;
  return words.length >= 8 && marks / words.length >= 0.125;
}

async function namesOf(text: string): Promise<string[]> {
  const candidates = candidatesOf(text);
  if (candidates.length === 0) return [];
  const isName = await loadJudge();
  return candidates.filter(isName);
}

const WORD = "\\p{Lu}[\\p{L}\\p{N}]*(?:['’.&+-][\\p{L}\\p{N}]+)*[+#]{0,2}";
const PHRASE = new RegExp(`${WORD}(?: (?:of |for |and the |the )?${WORD}){0,3}`, 'gu');

/** Capitalised phrases that do not owe their capital to a sentence's start, most frequent first. */
function candidatesOf(text: string): string[] {
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

let judge: Promise<(phrase: string) => boolean> | undefined;
const judged = new Map<string, boolean>();

/** The tagger has a lexicon of 14,000 words; it loads when the first English article comes. */
function loadJudge(): Promise<(phrase: string) => boolean> {
  judge ??= import('compromise/two').then(({ default: nlp }) => (phrase: string) => {
    const known = judged.get(phrase);
    if (known !== undefined) return known;
    const doc = nlp(phrase);
    const isNoName = doc.has(
      '^(#Date|#Month|#WeekDay|#Pronoun|#Determiner|#Conjunction|#Preposition|#QuestionWord|#Value)+$',
    );
    const isName =
      !isNoName && (phrase.includes(' ') || doc.has('(#ProperNoun|#Acronym|#Organization|#Person|#Place|#Noun)'));
    if (judged.size >= REMEMBERED) judged.clear();
    judged.set(phrase, isName);
    return isName;
  });
  return judge;
}

/** Names of things in code, by frequency. */
function identifiersOf(inlineCode: string[]): string[] {
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

function unique(names: string[]): string[] {
  const seen = new Map<string, string>();
  for (const name of names) if (!seen.has(name.toLowerCase())) seen.set(name.toLowerCase(), name);
  return [...seen.values()];
}
