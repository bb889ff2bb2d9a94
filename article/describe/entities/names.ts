/**
 * Finds names without a lexicon: words with a capital inside (GitHub, eBay), and capitalised words
 * that the same text does not write in lower case.
 */
import { collectCandidates, isDistinct, type NameCandidate } from './candidates.ts';
import { isExcludedName } from './excluded-names.ts';

const MAX_NAMES = 12;

export interface NameInput {
  title: string;
  /** Sentences, without addresses. */
  text: string;
  tags: string[];
  /** BCP 47; null if unknown. */
  language: string | null;
  /** How often the text has a word in lower case, outside of code. */
  ordinary: ReadonlyMap<string, number>;
}

/** German and Luxembourgish capitalise every noun. An unknown language counts as one that does not. */
const CAPITALISES_NOUNS = /^(?:de|lb)\b/i;

/** Most frequent first. Where capitals prove nothing: tags, and names with a capital inside. */
export function findNames({ title, text, tags, language, ordinary }: NameInput): string[] {
  const caseless = isCaseless(text);
  const trustsCapitals = caseless || !CAPITALISES_NOUNS.test(language ?? '');
  const known = new Set([...tags, ...title.split(/\s+/).filter(isDistinct)].map(fold));
  const names = collectCandidates(text, caseless).filter((candidate) => {
    if (isExcludedName(candidate.name)) return false;
    if (isDistinct(candidate.name)) return (ordinary.get(candidate.name.toLowerCase()) ?? 0) <= candidate.total;
    return trustsCapitals && isCapitalised(candidate, { ordinary, known });
  });
  const found = dropParts(names.sort((a, b) => b.total - a.total)).map(({ name }) => name);
  return (trustsCapitals ? found : [...tags, ...found]).slice(0, MAX_NAMES);
}

/** True for Chinese, Japanese, Arabic, Hebrew and others, where a Latin capital starts a name. */
function isCaseless(text: string): boolean {
  const start = text.slice(0, 2_000);
  const letters = start.match(/\p{L}/gu)?.length ?? 0;
  return (start.match(/\p{Lo}/gu)?.length ?? 0) > letters * 0.3;
}

interface Evidence {
  ordinary: ReadonlyMap<string, number>;
  /** Tags and distinct words of the title, folded. */
  known: ReadonlySet<string>;
}

function isCapitalised({ name, inside, asSubject, total }: NameCandidate, { ordinary, known }: Evidence): boolean {
  if (known.has(fold(name))) return true;
  const words = name.split(' ').filter((word) => word !== 'of');
  const lower = words.map((word) => ordinary.get(word.toLowerCase()) ?? 0);
  const [firstCount = 0] = lower;
  if (words.length === 1) {
    return inside > 0 ? firstCount * 2 <= total : firstCount === 0 && asSubject > 0 && total > 1;
  }
  // Words that also occur in lower case form a title ("the Plugin Guide"), which needs more
  // evidence.
  return lower.every((count) => count === 0) || (inside > 0 && (total > 1 || lower.includes(0)));
}

/** Drops `Ashley` after `Ashley Mannix` has been introduced. */
function dropParts(names: NameCandidate[]): NameCandidate[] {
  const introduced = new Map<string, number>();
  for (const { name, index } of names) {
    if (!name.includes(' ')) continue;
    for (const word of name.split(' ')) introduced.set(word, Math.min(index, introduced.get(word) ?? index));
  }
  return names.filter(
    ({ name, index }) => isDistinct(name) || index < (introduced.get(name) ?? Number.POSITIVE_INFINITY),
  );
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s._-]/g, '');
}
