/** Decides whether a sentence makes sense on a card or in a feed, without the rest of its page. */
import { hasMarkers } from './markers.ts';
import { isSmallTalk } from './small-talk.ts';

/** Scripts in which one character carries as much meaning as two or three Latin letters. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const CLOSERS = `["'”’»)\\]」』）】*_\\s\\p{Extended_Pictographic}\\ufe0f]*`;
const COLON = new RegExp(`[:：︰]${CLOSERS}$`, 'u');
const ENDED = new RegExp(`[.!?…。！？．؟।]${CLOSERS}$`, 'u');
const UNFINISHED = /[,;，、；،؛—–-]\s*$/u;
const MIN_WITHOUT_END = 40;
const MIN_LENGTH = 20;

export function measureLatinLength(text: string): number {
  return text.length + 1.5 * (text.match(DENSE)?.length ?? 0);
}

export function isPresentable(sentence: string): boolean {
  return !COLON.test(sentence) && isWellFormed(sentence);
}

/** True for a sentence that introduces a list or code: "The release has three new features:". */
export function isIntroduction(sentence: string): boolean {
  return COLON.test(sentence) && isWellFormed(sentence) && !POINTER.test(sentence);
}

const POINTER =
  /\b(?:follow\w*|below|above|like so|such as|as follows|like this|like that|this|these|those|here|e\.g|example|include|includes|including|namely|folgende\w*|suivante?s?|siguientes?|seguintes?)\b|如下|以下|例如|比如|包括|下面|次の|下記|التالية?|الآتية?/iu;

export function endIntroduction(sentence: string): string {
  return sentence.replace(COLON, /[：︰]/u.test(sentence) ? '。' : '.');
}

function isWellFormed(sentence: string): boolean {
  const length = measureLatinLength(sentence);
  if (length < MIN_LENGTH || (length < MIN_WITHOUT_END && !ENDED.test(sentence) && !COLON.test(sentence))) return false;
  if (hasMarkers(sentence) || isSmallTalk(sentence) || UNFINISHED.test(sentence)) return false;
  // Menus of links or languages, tables drawn with bars.
  if ((sentence.match(/[|│·•]|\s\/\s/gu)?.length ?? 0) >= 3) return false;
  if (/^[&+*=<>@|/\\]/.test(sentence)) return false;
  const letters = sentence.replace(/\b(?:https?:\/\/|www\.)\S+/gi, '').match(/\p{L}/gu)?.length ?? 0;
  return letters * 2 > sentence.length;
}
