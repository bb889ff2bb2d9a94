/** Summaries that the author wrote, else the sentences with the most of the article's topical words. */
import type { ArticleDraft } from '../types.ts';
import { splitWords } from './count-words.ts';
import { cutAtSentence, cutAtWord, splitSentences } from './cut-text.ts';
import type { WeighedWord } from './keywords.ts';
import { type Block, collectBlocks, joinBlocks, type Section } from './outline.ts';

const TLDR_LENGTH = 300;
const TAKEAWAY_LENGTH = 300;
const MAX_GIVEN = 10;
const MAX_EXTRACTED = 3;
/** Later sentences are not scored: the takeaways of a long text are near its beginning. */
const MAX_SENTENCES = 400;
const TLDR = /^tl\s*;?\s*dr\b[\s:.–—-]*/i;
const TAKEAWAYS =
  /^(?:key |main )?take-?aways?\b|^what (?:you|we) (?:have )?learn(?:ed|t)\b|^key points\b|^in (?:short|summary)\b|^summary\b|^at a glance\b/i;

/** The author's TL;DR, excerpt or subtitle; else the first paragraph, cut at a sentence. */
export function chooseTldr(draft: ArticleDraft, sections: Section[], firstParagraph: string): string {
  const index = sections.findIndex((section) => TLDR.test(section.heading));
  const section = index === -1 ? '' : joinBlocks(collectBlocks(sections, index));
  const paragraph = listParagraphs(sections).find((block) => TLDR.test(block.text));
  const written = section || paragraph?.text.replace(TLDR, '') || draft.excerpt || draft.subtitle;
  return cutAtSentence(written || firstParagraph || draft.title, TLDR_LENGTH);
}

export function chooseTakeaways(sections: Section[], words: WeighedWord[]): string[] {
  const index = sections.findIndex((section) => TAKEAWAYS.test(section.heading) || TLDR.test(section.heading));
  const given = index === -1 ? [] : readTakeaways(collectBlocks(sections, index));
  return given.length > 0 ? given : extractTakeaways(sections, words);
}

function readTakeaways(blocks: Block[]): string[] {
  const items = blocks.flatMap((block) => block.items);
  const texts = items.length > 0 ? items : blocks.filter((block) => block.kind !== 'code').map((block) => block.text);
  return texts.map((text) => cutAtWord(text, TAKEAWAY_LENGTH)).slice(0, MAX_GIVEN);
}

/** A sentence scores the weight of its distinct topical words over the root of its length, and a little more if it comes early. */
function extractTakeaways(sections: Section[], words: WeighedWord[]): string[] {
  const weights = new Map(words.slice(0, 40).map(({ word, weight }) => [word, Math.log2(1 + weight)]));
  const sentences: { text: string; position: number; score: number }[] = [];
  for (const block of listParagraphs(sections)) {
    for (const text of splitSentences(block.text)) {
      if (sentences.length >= MAX_SENTENCES) break;
      if (!isStatement(text)) continue;
      const own = splitWords(text);
      const carried = [...new Set(own)].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
      const position = sentences.length;
      sentences.push({ text, position, score: (carried / Math.sqrt(own.length + 1)) * (1 + 0.5 / (1 + position)) });
    }
  }
  return sentences
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.position - b.position)
    .slice(0, MAX_EXTRACTED)
    .sort((a, b) => a.position - b.position)
    .map(({ text }) => text);
}

function isStatement(text: string): boolean {
  return text.length >= 20 && text.length <= TAKEAWAY_LENGTH && /[.!。！]["'”’)\]]*$/.test(text);
}

function listParagraphs(sections: Section[]): Block[] {
  return sections.flatMap((section) => section.blocks.filter((block) => block.kind === 'paragraph'));
}
