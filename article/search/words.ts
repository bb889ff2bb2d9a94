/**
 * Splits stored texts and searches into the same words: lowercase, without punctuation, segmented
 * in scripts without spaces, whatever the locale of the database.
 */
import { ASCII } from '../text/ascii.ts';

/** A longer word is a key or an encoded picture, which nobody searches for. */
const MAX_WORD = 64;

/** Not folded, for the rules of their language: `größe`, `node`, `js`. */
export function splitSearchWords(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.normalize('NFKC').toLowerCase().replace(SIGNED, spellSigns).matchAll(WORD)) {
    if (WITHOUT_SPACES.test(run)) words.push(...segment(run));
    else words.push(cut(run));
  }
  return words;
}

/** Removes marks that people omit: `größe` equals `grosse`, and `crème` equals `creme`. */
export function foldWord(word: string): string {
  if (ASCII.test(word)) return word;
  const bare = word.normalize('NFD').replace(MARKED, '$1').normalize('NFC');
  return bare.replace(LIGATURES, (letter) => SPELT_OUT[letter] ?? letter);
}

/** The runs of letters and digits in a text, in order, each with its offset as `index`. */
export function locateRuns(text: string): Iterable<RegExpExecArray> {
  return text.matchAll(RUN);
}

/** A run as a folded word; null if it contains several words without spaces. */
export function readRun(run: string): string | null {
  if (PLAIN.test(run)) return run.toLowerCase();
  return WITHOUT_SPACES.test(run) ? null : foldWord(splitSearchWords(run)[0] ?? '');
}

const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:(?=[+#])(?<=(?<![\p{L}\p{N}])[cfjCFJ])(?:\+\+|#)(?![\p{L}\p{N}+#]))?/gu;
const PLAIN = /^[a-z0-9]+$/i;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** One word of the dictionary may be two for a search: 東京 in 東京タワー. */
function segment(run: string): string[] {
  const words = [...segmenter.segment(run)].filter(({ isWordLike }) => isWordLike === true);
  return words.flatMap((word) => word.segment.match(OF_ONE_SCRIPT) ?? []).map(cut);
}

/** A mark that remains at a change of scripts is no word. */
const OF_ONE_SCRIPT = /\p{Script=Han}+|[[\p{L}\p{N}]--\p{Script=Han}][[\p{L}\p{M}\p{N}]--\p{Script=Han}]*/gv;
/** In other scripts a mark forms another letter: й is not и, and ガ is not カ. */
const MARKED = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const SPELT_OUT: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ё: 'е' },
};
const LIGATURES = /[ßæœøłđðþıё]/g;

/** Without their signs, C, C++ and C# would be one word. */
const SIGNED = /(?<![\p{L}\p{N}])([cfj])(\+\+|#)(?![\p{L}\p{N}+#])/gu;

function spellSigns(_match: string, letter: string, signs: string): string {
  return `${letter}${signs === '#' ? 'sharp' : 'plusplus'}`;
}

function cut(word: string): string {
  return word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).toWellFormed();
}
