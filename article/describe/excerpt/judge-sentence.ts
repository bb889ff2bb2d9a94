/** Whether a sentence can stand on a card or in a feed, where nothing of the page is around it. */
import { hasMarkers } from './markers.ts';
import { isSmallTalk } from './small-talk.ts';

/** Chinese and Japanese say in a character what takes two or three letters. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const CLOSERS = `["'”’»)\\]」』）】*_\\s\\p{Extended_Pictographic}\\ufe0f]*`;
const COLON = new RegExp(`[:：︰]${CLOSERS}$`, 'u');
const ENDED = new RegExp(`[.!?…。！？．؟।]${CLOSERS}$`, 'u');
const UNFINISHED = /[,;，、；،؛—–-]\s*$/u;
const MIN_WITHOUT_END = 40;
const MIN_LENGTH = 20;

/** The length that a text would have in Latin letters, about. */
export function measure(text: string): number {
  return text.length + 1.5 * (text.match(DENSE)?.length ?? 0);
}

export function isPresentable(sentence: string): boolean {
  return !COLON.test(sentence) && isSound(sentence);
}

/** Says something, but introduces what does not follow on a card: "The release has three new features:". */
export function isIntroduction(sentence: string): boolean {
  return COLON.test(sentence) && isSound(sentence) && !POINTER.test(sentence);
}

const POINTER =
  /\b(?:follow\w*|below|above|like so|such as|as follows|like this|like that|this|these|those|here|e\.g|example|include|includes|including|namely|folgende\w*|suivante?s?|siguientes?|seguintes?)\b|如下|以下|例如|比如|包括|下面|次の|下記|التالية?|الآتية?/iu;

export function endIntroduction(sentence: string): string {
  return sentence.replace(COLON, /[：︰]/u.test(sentence) ? '。' : '.');
}

function isSound(sentence: string): boolean {
  const length = measure(sentence);
  if (length < MIN_LENGTH || (length < MIN_WITHOUT_END && !ENDED.test(sentence) && !COLON.test(sentence))) return false;
  if (hasMarkers(sentence) || isSmallTalk(sentence) || UNFINISHED.test(sentence)) return false;
  // Menus of links and languages, tables drawn with bars.
  if ((sentence.match(/[|│·•]|\s\/\s/gu)?.length ?? 0) >= 3) return false;
  if (/^[&+*=<>@|/\\]/.test(sentence)) return false;
  const letters = sentence.replace(/\b(?:https?:\/\/|www\.)\S+/gi, '').match(/\p{L}/gu)?.length ?? 0;
  return letters * 2 > sentence.length;
}
