/**
 * Finds names without a lexicon: words with a capital inside (GitHub, eBay), and capitalised words
 * that the same text does not write in lower case.
 */
import { foldTopic } from '../keywords/choose-keywords.ts';
import { isExcludedName, stripOrdinary } from './excluded-names.ts';

const MAX_NAMES = 12;

export interface NameInput {
  title: string;
  text: string;
  tags: string[];
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
  const known = new Set([...tags, ...title.split(/\s+/).filter(isDistinct)].map(foldTopic));
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
  known: ReadonlySet<string>;
}

function isCapitalised({ name, inside, asSubject, total }: NameCandidate, { ordinary, known }: Evidence): boolean {
  if (known.has(foldTopic(name))) return true;
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

interface NameCandidate {
  name: string;
  total: number;
  /** Occurrences that do not start a sentence. */
  inside: number;
  /** Those that start a sentence as its subject: "Fastify supports …", "Fastify’s plugins …". */
  asSubject: number;
  index: number;
}

const MAX_LENGTH = 60;
const CASED = '[\\p{Lu}\\p{Ll}\\p{M}\\p{N}]';
const BEGINNING = `(?:\\p{Lu}${CASED}*|\\p{Ll}\\p{Lu}${CASED}+|(?:mac|watch|vision)OS)`;
const WORD = `${BEGINNING}(?:\\.\\p{Ll}${CASED}*|[&+-](?=[\\p{Lu}\\p{N}])${CASED}+|['’](?=\\p{Lu}\\p{Ll})${CASED}+)*(?:[+#]{1,2}(?![\\p{L}\\p{N}]))?`;
/** Never starts inside a word, an address or a path: eBay contains no "Bay". */
const PHRASE = new RegExp(`(?<![\\p{Lu}\\p{Ll}\\p{M}\\p{N}_@/#$.'’-])${WORD}(?: (?:of )?${WORD}){0,4}`, 'gu');
/** The rest of a contraction (I'm) or a compound (UNIX-specific). Possessives are no part of it. */
const TAIL = /^(?:['’]\p{Ll}{1,3}|-\p{Ll})/u;
const BEFORE_START = /(?:^|[\n.!?:;…•*–—"“”„«([}|/>-])[\s"“„«([]*$/u;
const BEFORE_VERB = /^(?:['’]s\b| (?:is|was|has|can|will|does|did|\p{Ll}{2,}s)\b)/u;

/** With `caseless`, a Latin word at the start of a sentence counts as one inside the sentence. */
function collectCandidates(text: string, caseless: boolean): NameCandidate[] {
  const candidates = new Map<string, NameCandidate>();
  for (const match of text.matchAll(PHRASE)) {
    const [phrase] = match;
    const after = text.slice(match.index + phrase.length, match.index + phrase.length + 20);
    const tail = TAIL.exec(after)?.[0] ?? '';
    if (tail !== '' && !/^['’]s$/.test(tail) && !isDistinct(phrase)) continue;
    const before = text.slice(Math.max(0, match.index - 3), match.index);
    const isStart = !caseless && (match.index === 0 || BEFORE_START.test(before));
    const { name, isMoved } = stripOrdinary(phrase, isStart);
    if (name.length < 2 || name.length > MAX_LENGTH) continue;
    const known = candidates.get(name) ?? { name, total: 0, inside: 0, asSubject: 0, index: match.index };
    known.total += 1;
    if (!isStart || isMoved) known.inside += 1;
    else if (BEFORE_VERB.test(after)) known.asSubject += 1;
    candidates.set(name, known);
  }
  return [...candidates.values()];
}

/** True for `GitHub`, `HTTP`, `Node.js`, `C++`, `S3`: no ordinary word is written like them. */
function isDistinct(name: string): boolean {
  return !name.includes(' ') && /\p{Ll}\p{Lu}|^\p{Lu}[\p{Lu}\p{N}]+|\p{L}\.\p{Ll}|[+#]$|\p{Lu}&\p{Lu}/u.test(name);
}
