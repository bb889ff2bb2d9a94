/** Selects the sentences with the most topical words that make sense on their own. */
import { isPresentable, measureLatinLength } from './excerpt/judge-sentence.ts';
import { dropBrackets, hasMarkers } from './excerpt/markers.ts';
import { dropGreeting } from './excerpt/small-talk.ts';
import type { WeighedWord } from './keywords/choose-keywords.ts';
import { splitTopicWords } from './keywords/count-words.ts';
import { listParagraphs, type Section } from './outline.ts';
import { endsInAbbreviation, splitSentences } from './sentences.ts';

const MAX_CHOSEN = 3;
const MIN_LENGTH = 40;
/** Later sentences are not scored: the takeaways of a long text are near its start. */
const MAX_SENTENCES = 400;
const MAX_TOPICS = 40;
/** The rest of a longer paragraph is not read: it is no prose. */
const MAX_PARAGRAPH = 10_000;
/** The share of the shorter sentence's words that makes two sentences equal. */
const MIN_SHARED_WORDS = 0.75;
/** Factors for a sentence that depends on others, and for one that the summary contains. */
const DEPENDENT_FACTOR = 0.5;
const REPEAT_FACTOR = 0.6;

interface Sentence {
  text: string;
  words: Set<string>;
  position: number;
  score: number;
}

export interface RankOptions {
  length: number;
  tldr: string;
}

/**
 * At most three, in text order. The score is the weight of their topical words over the square root
 * of their length.
 */
export function extractSentences(sections: Section[], words: WeighedWord[], { length, tldr }: RankOptions): string[] {
  const weights = new Map(words.slice(0, MAX_TOPICS).map(({ word, weight }) => [word, Math.log2(1 + weight)]));
  const sentences: Sentence[] = [];
  for (const { text, lead } of listParagraphs(sections)) {
    if (lead === text) continue;
    for (const sentence of splitSentences(dropGreeting(dropBrackets(text.slice(0, MAX_PARAGRAPH))))) {
      if (sentences.length >= MAX_SENTENCES) break;
      if (!isStatement(sentence, length)) continue;
      const sentenceWords = splitTopicWords(sentence);
      const distinct = new Set(sentenceWords);
      const weight = [...distinct].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
      const position = sentences.length;
      const early = 1 + 0.5 / (1 + position);
      const factor = (DEPENDENT.test(sentence) ? DEPENDENT_FACTOR : 1) * (tldr.includes(sentence) ? REPEAT_FACTOR : 1);
      const score = (weight / Math.sqrt(sentenceWords.length + 1)) * early * factor;
      sentences.push({ text: sentence, words: distinct, position, score });
    }
  }
  const chosen: Sentence[] = [];
  for (const sentence of sentences.sort((a, b) => b.score - a.score || a.position - b.position)) {
    if (chosen.length === MAX_CHOSEN || sentence.score === 0) break;
    if (!chosen.some((other) => isSame(other.words, sentence.words))) chosen.push(sentence);
  }
  return chosen.sort((a, b) => a.position - b.position).map(({ text }) => text);
}

export function isRepeated(text: string, others: readonly string[]): boolean {
  const words = new Set(splitTopicWords(text));
  return others.some((other) => isSame(new Set(splitTopicWords(other)), words));
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const common = [...a].filter((word) => b.has(word)).length;
  return common > 0 ? common / Math.min(a.size, b.size) >= MIN_SHARED_WORDS : a.size === b.size && a.size === 0;
}

/** Words that refer to an earlier sentence, a picture or the page. */
const DEPENDENT =
  /^\p{Lu}[^:.]{0,30}: |^\(\w\)|^(?:this|that|these|those|it|its|they|he|she|his|her|their|such|so|but|and|or|also|then|thus|hence|however|therefore|moreover|furthermore|additionally|besides|instead|otherwise|finally|lastly|first|firstly|second|secondly|third|next|now|again|similarly|likewise|meanwhile|still|yet|as (?:always|mentioned|usual|you|shown|before|above|a result)|for (?:example|instance|this|more)|in (?:this|that|these|addition|other words|the (?:example|above|following|previous|next))|on the other hand|after (?:that|this)|with (?:this|that)|let[’']s|here|there|see|note|notice|remember|please|thanks?|you can (?:find|leave|read|see|also)|thank you|we are|we[’']re|we[’']d|i|i[’'](?:m|ve|d|ll)|dies\w*|das|es|er|sie|aber|und|auch|dann|deshalb|jedoch|außerdem|hier|cela|ceci|c[’']est|il|elle|ils|mais|donc|ainsi|esto|eso|pero|también|isso|isto|mas|também)\b|^(?:这|這|那|它|他|她|此|但|而且|所以|因此|然后|同时|另外|其中|例如|比如|これ|それ|あれ|この|その|しかし|また|そして|例えば|ただし|هذا|هذه|ذلك|لكن|ولكن|كما|وهذا)|\b(?:above|below|following|here)\b[^,]{0,30}[.!]$/iu;

function isStatement(text: string, length: number): boolean {
  if (measureLatinLength(text) < MIN_LENGTH || text.length > length || !/[.!。！؟]["'”’)\]」』）]*$/u.test(text))
    return false;
  return isPresentable(text) && !endsInAbbreviation(text) && !hasMarkers(text) && !/https?:\/\/|[?？؟]$/.test(text);
}
