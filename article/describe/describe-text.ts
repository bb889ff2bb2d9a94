/** The structured description (2.6) of an article, by the rules that docs/description.md states. */
import type { Root as HtmlRoot } from 'hast';
import type { RenderedFacts } from '../render/read-rendered.ts';
import type { ArticleDraft, DerivedArticle } from '../types.ts';
import { countWords, readingTime } from './count-words.ts';
import { cutAtWord } from './cut-text.ts';
import { entitiesOf } from './entities.ts';
import { faqsOf } from './faqs.ts';
import { audienceOf, toneOf, typesOf } from './genre.ts';
import { keywordsOf, weighWords } from './keywords.ts';
import { outlineOf, proseOf, type Section } from './outline.ts';
import { takeawaysOf, tldrOf } from './takeaways.ts';

const EXCERPT_LENGTH = 200;
const MAX_KEYWORDS = 12;
const MAX_SIGNALS = 8;

export interface DescribeInput {
  draft: ArticleDraft;
  /** Sanitised. */
  tree: HtmlRoot;
  plainText: string;
  facts: RenderedFacts;
}

export type TextDescription = Omit<
  DerivedArticle,
  'html' | 'plainText' | 'headings' | 'outboundReferences' | 'contentHash'
>;

export async function describeText({ draft, tree, plainText, facts }: DescribeInput): Promise<TextDescription> {
  const sections = outlineOf(tree);
  const prose = proseOf(sections);
  const wordCount = countWords(plainText);
  const faqs = faqsOf(sections);
  const headings = facts.headings.map(({ text }) => text);
  const words = weighWords(draft.title, headings, prose);
  const keywords = keywordsOf(draft.tags, words, MAX_KEYWORDS);
  const firstParagraph = firstParagraphOf(sections);
  const genre = { draft, sections, facts, prose, wordCount, faqs };
  return {
    excerpt:
      draft.excerpt ?? cutAtWord(firstParagraph || draft.subtitle || plainText.replace(/\s+/g, ' '), EXCERPT_LENGTH),
    topicSignals: signalsOf(draft, keywords),
    keywords,
    entities: await entitiesOf(prose, draft.tags, facts.inlineCode),
    keyTakeaways: takeawaysOf(sections, words),
    types: typesOf(genre),
    audience: audienceOf(genre),
    tone: toneOf(genre),
    primaryTopic: draft.tags[0] ?? draft.category ?? keywords[0] ?? draft.title,
    tldr: tldrOf(draft, sections, firstParagraph),
    faqs,
    wordCount,
    readingTimeMinutes: readingTime(wordCount),
  };
}

function firstParagraphOf(sections: Section[]): string {
  for (const { blocks } of sections) {
    const first = blocks.find((block) => block.kind === 'paragraph' && !block.isBold);
    if (first !== undefined) return first.text;
  }
  return sections.flatMap(({ blocks }) => blocks).find((block) => block.kind !== 'code')?.text ?? '';
}

/** The author's tags and category, then what the text itself repeats. */
function signalsOf(draft: ArticleDraft, keywords: string[]): string[] {
  const own = draft.category === null ? draft.tags : [...draft.tags, draft.category];
  const signals = new Set([...own, ...keywords]);
  return [...signals].slice(0, Math.max(MAX_SIGNALS, own.length));
}
