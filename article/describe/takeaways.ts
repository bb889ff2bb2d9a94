/** Chooses summary and takeaways: the author's own, else sentences with many topical words. */
import type { ArticleDraft } from '../types.ts';
import { cutAtSentence, cutAtWord } from './cut-text.ts';
import { chooseOpening } from './excerpt/choose-excerpt.ts';
import { dropBrackets } from './excerpt/markers.ts';
import type { WeighedWord } from './keywords/choose-keywords.ts';
import { type Block, collectBlocks, joinBlocks, listParagraphs, type Section } from './outline.ts';
import { extractSentences, isRepeated } from './rank-sentences.ts';

const TLDR_LENGTH = 300;
const MAX_SUMMARY = 5_000;
const TAKEAWAY_LENGTH = 300;
const MAX_TAKEAWAYS = 10;
const TLDR = /^tl\s*;?\s*dr\b[\s:.–—-]*/i;
const TAKEAWAYS =
  /^(?:(?:the )?(?:key |main )?take-?aways?|what (?:you|you[’']ll|we|i)(?:[’']ve| have| will)? learn(?:ed|t)?|key (?:points|insights|ideas|facts)|in (?:short|summary|brief|a nutshell)|(?:quick |executive )?summary|at a glance|das wichtigste|auf einen blick|zusammenfassung|kurz gefasst|en bref|points clés|à retenir|en resumen|puntos clave|em resumo|pontos principais|in sintesi)\b|^(?:まとめ|要点|ポイント|要約|总结|總結|小结|小結|本文要点|要点总结|核心要点|الخلاصة|خلاصة|أهم النقاط)/i;

/** The author's TL;DR, excerpt or subtitle; else the opening, the derived excerpt or the title. */
export function chooseTldr(draft: ArticleDraft, sections: Section[], excerpt: string): string {
  const index = sections.findIndex((section) => TLDR.test(section.heading));
  const section = index === -1 ? '' : joinBlocks(collectBlocks(sections, index));
  const paragraph = listParagraphs(sections).find((block) => TLDR.test(block.text));
  const written = section || paragraph?.text.replace(TLDR, '') || draft.excerpt || draft.subtitle;
  return cutAtSentence(
    dropBrackets((written || chooseOpening(sections, TLDR_LENGTH) || excerpt || draft.title).slice(0, MAX_SUMMARY)),
    TLDR_LENGTH,
  );
}

/** The author's takeaways, else extracted sentences; without repetitions. */
export function chooseTakeaways(sections: Section[], words: WeighedWord[], tldr: string): string[] {
  const index = sections.findIndex((section) => TAKEAWAYS.test(section.heading) || TLDR.test(section.heading));
  const takeaways = index === -1 ? [] : readTakeaways(collectBlocks(sections, index));
  return takeaways.length > 0 ? takeaways : extractSentences(sections, words, { length: TAKEAWAY_LENGTH, tldr });
}

function readTakeaways(blocks: Block[]): string[] {
  const items = blocks.flatMap((block) => block.items);
  const texts = items.length > 0 ? items : blocks.filter((block) => block.kind !== 'code').map((block) => block.text);
  const takeaways: string[] = [];
  for (const text of texts) {
    if (takeaways.length === MAX_TAKEAWAYS) break;
    if (!isRepeated(text, takeaways)) takeaways.push(cutAtWord(text, TAKEAWAY_LENGTH));
  }
  return takeaways;
}
