/**
 * Detects the language of prose by letter frequencies (`eld`), deterministically. The smallest
 * database has 60 languages in 29 MB per thread.
 */
import { eld } from 'eld/extrasmall';
import type { Root as HtmlRoot, Nodes } from 'hast';
import { walkTree } from '../walk-tree.ts';

/** More text makes no difference: the detector reads 1,000 characters. */
const MAX_SAMPLE = 4_000;
/** Fewer letters are one word or two, which several languages share. */
const MIN_LETTERS = 24;
/** A letter of these scripts counts as much as three of others. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const DENSE_WEIGHT = 3;
const LATIN = /\p{Script=Latin}+/gu;
const OTHER_LETTERS = /[\p{L}--\p{Script=Latin}]+/gv;
const NO_PROSE = new Set(['pre', 'code', 'kbd', 'samp', 'var']);
/** Kurdish in Arabic letters, which the detector reports as `ku`, is `ckb`. */
const TAGS: Record<string, string> = { ku: 'ckb' };

/** `tree` is safe HTML. Null if the text is too short or too mixed. */
export function detectLanguage(tree: HtmlRoot, title: string): string | null {
  const sample = dropMinorScript(`${collectProse(tree)} ${title}`);
  const letters = weigh(sample);
  if (letters < MIN_LETTERS) return null;
  const dense = sample.match(DENSE)?.join('') ?? '';
  // Each of these scripts belongs to one language, so a few words suffice without the detector.
  if (weigh(dense) > letters / 2) return findEastAsian(dense);
  const found = eld.detect(sample);
  if (found.language === '' || !found.isReliable()) return null;
  return TAGS[found.language] ?? found.language;
}

function findEastAsian(letters: string): 'ja' | 'ko' | 'zh' {
  const share = (script: RegExp): number => (letters.match(script)?.length ?? 0) / letters.length;
  if (share(/\p{Script=Hangul}/gu) > 0.5) return 'ko';
  return share(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu) > 0.1 ? 'ja' : 'zh';
}

function collectProse(tree: HtmlRoot): string {
  let prose = '';
  walkTree<Nodes>(tree, (node) => {
    if (prose.length > MAX_SAMPLE || (node.type === 'element' && NO_PROSE.has(node.tagName))) return 'skip';
    if (node.type === 'text') prose += ` ${node.value.slice(0, MAX_SAMPLE)}`;
    return undefined;
  });
  // Addresses contain English words.
  return prose.replace(/https?:\/\/\S+|\S+@\S+/g, ' ');
}

/** Drops the rarer script. In a text about software, Latin words are names in any language. */
function dropMinorScript(text: string): string {
  const other = text.match(OTHER_LETTERS)?.join('') ?? '';
  const latin = text.match(LATIN)?.join('') ?? '';
  return weigh(other) >= latin.length ? text.replace(LATIN, ' ') : text.replace(OTHER_LETTERS, ' ');
}

function weigh(text: string): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters + (DENSE_WEIGHT - 1) * (text.match(DENSE)?.length ?? 0);
}
