/** Chooses the keywords of an article: the words that it repeats. */
import { ASCII } from '../../text/ascii.ts';
import { dropAddresses } from '../sentences.ts';
import { splitTopicWords } from './count-words.ts';
import { STOP_WORDS } from './stop-words.ts';

const MAX_TEXT = 100_000;
const TITLE_WEIGHT = 5;
const HEADING_WEIGHT = 2;
/** Words of two letters are rarely topics, except these. */
const SHORT_TOPIC = /^(?:go|ai|ml|ui|ux|js|ts|db|os|c\+\+|c#|r|qa|ci|cd|vr|ar|3d|2d|k8s)$/;
/** Japanese particles and endings, which are no words. */
const HIRAGANA = /^[\p{Script=Hiragana}ー]+$/u;

export interface WeighedWord {
  word: string;
  weight: number;
}

/** Words by weight, heaviest first, then in order of appearance. Title and headings weigh more. */
export function weighWords(title: string, headings: string[], prose: string): WeighedWord[] {
  const counts = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of splitTopicWords(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  add(title, TITLE_WEIGHT);
  add(headings.join('\n'), HEADING_WEIGHT);
  add(dropAddresses(prose.slice(0, MAX_TEXT)), 1);
  // Checked once per word, not per occurrence.
  const weights = new Map([...counts].filter(([word]) => isTopical(word)));
  foldPlurals(weights);
  return [...weights].map(([word, weight]) => ({ word, weight })).sort((a, b) => b.weight - a.weight);
}

/** The author's tags, then the heaviest words of weight 2 or more that repeat no tag. */
export function chooseKeywords(tags: string[], words: WeighedWord[], limit: number): string[] {
  const chosen = new Set(tags);
  const folded = new Set(tags.map(foldTopic));
  for (const { word, weight } of words) {
    if (chosen.size >= limit || weight < 2) break;
    if (!folded.has(foldTopic(word))) chosen.add(word);
  }
  return [...chosen].slice(0, Math.max(limit, tags.length));
}

/** `Next.js`, `nextjs` and `next-js` are one keyword. */
export function foldTopic(word: string): string {
  return word.toLowerCase().replace(/[\s._-]/g, '');
}

function isTopical(word: string): boolean {
  if (STOP_WORDS.has(word) || /^[\d.,'’_-]+$/.test(word) || HIRAGANA.test(word)) return false;
  const [stem] = word.split(/['’]/);
  if (stem !== undefined && STOP_WORDS.has(stem)) return false;
  return word.length > 2 || !ASCII.test(word) ? word.length > 1 : SHORT_TOPIC.test(word);
}

/** Counts `goals` as `goal` if both occur. */
function foldPlurals(weights: Map<string, number>): void {
  for (const [word, weight] of weights) {
    if (!word.endsWith('s')) continue;
    const singular = word.slice(0, -1);
    const singularWeight = weights.get(singular);
    if (singularWeight === undefined) continue;
    weights.set(singular, singularWeight + weight);
    weights.delete(word);
  }
}
