/** Collects candidates for names: capitalised words and phrases, with their positions. */
import { stripOrdinary } from './excluded-names.ts';

export interface NameCandidate {
  name: string;
  total: number;
  /** Occurrences that do not start a sentence. */
  inside: number;
  /** Those that start a sentence as its subject: "Fastify supports …", "Fastify’s plugins …". */
  asSubject: number;
  /** Offset of the first occurrence. */
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
export function collectCandidates(text: string, caseless: boolean): NameCandidate[] {
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
export function isDistinct(name: string): boolean {
  return !name.includes(' ') && /\p{Ll}\p{Lu}|^\p{Lu}[\p{Lu}\p{N}]+|\p{L}\.\p{Ll}|[+#]$|\p{Lu}&\p{Lu}/u.test(name);
}
