/**
 * The words of a text, as a search knows them: in lower case, without punctuation, and torn apart where a script has no spaces between them.
 * What is stored and what is searched for go through the same function, so they meet whatever the database's locale is.
 */

import { ASCII } from '../text/ascii.ts';

/** A longer one is a key or a picture in letters; nobody types it. */
const MAX_WORD = 64;

/** As they are written, for the rules of their language: `größe`, `node`, `js`. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.normalize('NFKC').toLowerCase().replace(SIGNED, spellSigns).matchAll(WORD)) {
    if (WITHOUT_SPACES.test(run)) words.push(...segment(run));
    else words.push(cut(run));
  }
  return words;
}

/** Without the marks that are left out in a hurry or on a foreign keyboard: `größe` and `grosse` are one, `crème` and `creme` are. */
export function foldWord(word: string): string {
  if (ASCII.test(word)) return word;
  const bare = word.normalize('NFD').replace(MARKED, '$1').normalize('NFC');
  return bare.replace(LIGATURES, (letter) => SPELT_OUT[letter] ?? letter);
}

/** The runs of letters and digits of a text, one after the other; each with its place, as `index`. */
export function locateRuns(text: string): Iterable<RegExpExecArray> {
  return text.matchAll(RUN);
}

/** A run as a folded word; null where it is several words with no space between them. */
export function readRun(run: string): string | null {
  if (PLAIN.test(run)) return run.toLowerCase();
  return WITHOUT_SPACES.test(run) ? null : foldWord(splitWords(run)[0] ?? '');
}

const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:(?=[+#])(?<=(?<![\p{L}\p{N}])[cfjCFJ])(?:\+\+|#)(?![\p{L}\p{N}+#]))?/gu;
const PLAIN = /^[a-z0-9]+$/i;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** What is one word to the dictionary may be two to who searches: 東京 in 東京タワー. */
function segment(run: string): string[] {
  const words = [...segmenter.segment(run)].filter(({ isWordLike }) => isWordLike === true);
  return words.flatMap((word) => word.segment.match(OF_ONE_SCRIPT) ?? []).map(cut);
}

/** A mark that is left over at the change of scripts is no word. */
const OF_ONE_SCRIPT = /\p{Script=Han}+|[[\p{L}\p{N}]--\p{Script=Han}][[\p{L}\p{M}\p{N}]--\p{Script=Han}]*/gv;
/** In other scripts a mark makes another letter: й is not и, and ガ not カ. */
const MARKED = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const SPELT_OUT: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ё: 'е',
};
const LIGATURES = /[ßæœøłđðþıё]/g;

/** Without their signs C, C++ and C# would be one language. */
const SIGNED = /(?<![\p{L}\p{N}])([cfj])(\+\+|#)(?![\p{L}\p{N}+#])/gu;

function spellSigns(_match: string, letter: string, signs: string): string {
  return `${letter}${signs === '#' ? 'sharp' : 'plusplus'}`;
}

function cut(word: string): string {
  return word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).toWellFormed();
}
