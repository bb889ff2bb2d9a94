/** Finds questions with answers in a section whose heading says that it is a FAQ. */
import type { FaqEntry } from '../types.ts';
import { cutAtSentence } from './cut-text.ts';
import { type Block, joinBlocks, type Section } from './outline.ts';

const FAQ =
  /^(?:faqs?|frequently asked questions?|common questions|questions (?:and|&) answers|q\s*&\s*a|häufige fragen|preguntas frecuentes|questions fréquentes|perguntas frequentes|よくある質問|常见问题)\b/iu;
const MAX_ANSWER = 2_000;

/** Null if the article has no FAQ section, or one without a question. */
export function findFaqs(sections: Section[]): FaqEntry[] | null {
  const index = sections.findIndex((section) => isFaqHeading(section.heading));
  const faq = sections[index];
  if (faq === undefined) return null;
  const below: Section[] = [];
  for (const section of sections.slice(index + 1)) {
    if (section.level <= faq.level) break;
    below.push(section);
  }
  const entries = [...readQuestions(faq.blocks)];
  for (const section of below) {
    const answer = formatAnswer(section.blocks);
    if (section.heading !== '' && answer !== '') entries.push({ question: section.heading, answer });
  }
  return entries.length > 0 ? entries : null;
}

function isFaqHeading(heading: string): boolean {
  // `\b` only works with Latin letters.
  return FAQ.test(heading) || FAQ.test(`${heading} `) || /^(?:よくある質問|常见问题|常見問題)/.test(heading);
}

/** Questions written as bold paragraphs or as paragraphs ending in a question mark, each with the text that follows. */
function readQuestions(blocks: Block[]): FaqEntry[] {
  const entries: FaqEntry[] = [];
  let question: string | null = null;
  let below: Block[] = [];
  const close = (): void => {
    const answer = formatAnswer(below);
    if (question !== null && answer !== '') entries.push({ question, answer });
    below = [];
  };
  for (const block of blocks) {
    const asks = block.kind === 'paragraph' && (block.isBold || /[?？]$/.test(block.text));
    if (!asks) {
      below.push(block);
      continue;
    }
    close();
    question = block.text.replace(/^Q\d*\s*[:.]\s*/i, '');
  }
  close();
  return entries;
}

function formatAnswer(blocks: Block[]): string {
  return cutAtSentence(joinBlocks(blocks).replace(/^A\d*\s*[:.]\s+/i, ''), MAX_ANSWER);
}
