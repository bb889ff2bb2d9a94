/** Derives the structured description of an article (specification 2.6) by the rules in docs/description.md. */
import type { Root as HtmlRoot } from 'hast';
import type { RenderedFacts } from '../render/read-rendered.ts';
import type { ArticleDraft, DerivedArticle } from '../types.ts';
import { countWords, estimateReadingTime } from './count-words.ts';
import { findEntities } from './entities.ts';
import { chooseExcerpt, findFirstParagraph } from './excerpt.ts';
import { findFaqs } from './faqs.ts';
import { chooseAudience, chooseTone, chooseTypes } from './genre.ts';
import { chooseKeywords, weighWords } from './keywords.ts';
import { buildOutline, joinProse } from './outline.ts';
import { chooseTakeaways, chooseTldr } from './takeaways.ts';

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
  const sections = buildOutline(tree);
  const prose = joinProse(sections);
  const wordCount = countWords(plainText);
  const faqs = findFaqs(sections);
  const headings = facts.headings.map(({ text }) => text);
  const words = weighWords(draft.title, headings, prose);
  const keywords = chooseKeywords(draft.tags, words, MAX_KEYWORDS);
  const firstParagraph = findFirstParagraph(sections);
  const genre = { draft, sections, facts, prose, wordCount, faqs };
  return {
    excerpt: chooseExcerpt(draft, sections, plainText),
    topicSignals: chooseSignals(draft, keywords),
    keywords,
    entities: await findEntities(prose, draft.tags, facts.inlineCode),
    keyTakeaways: chooseTakeaways(sections, words),
    types: chooseTypes(genre),
    audience: chooseAudience(genre),
    tone: chooseTone(genre),
    primaryTopic: draft.tags[0] ?? draft.category ?? keywords[0] ?? draft.title,
    tldr: chooseTldr(draft, sections, firstParagraph),
    faqs,
    wordCount,
    readingTimeMinutes: estimateReadingTime(wordCount),
  };
}

/** The author's tags and category, then the words that the text repeats. */
function chooseSignals(draft: ArticleDraft, keywords: string[]): string[] {
  const own = draft.category === null ? draft.tags : [...draft.tags, draft.category];
  const signals = new Set([...own, ...keywords]);
  return [...signals].slice(0, Math.max(MAX_SIGNALS, own.length));
}
