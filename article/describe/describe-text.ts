/**
 * Derives the structured description (specification 2.6) by the rules in
 * docs/internals/description.md.
 */
import type { Root as HtmlRoot } from 'hast';
import type { Root } from 'mdast';
import type { RenderedFacts } from '../render/read-rendered.ts';
import type { ArticleDraft, DerivedArticle } from '../types.ts';
import { findEntities } from './entities/find-entities.ts';
import { chooseExcerpt } from './excerpt/choose-excerpt.ts';
import { findTeaserEnd } from './excerpt/find-teaser.ts';
import { findFaqs } from './faqs.ts';
import { chooseAudience, chooseTone, chooseTypes } from './genre.ts';
import { chooseKeywords, weighWords } from './keywords/choose-keywords.ts';
import { countWords, estimateReadingTime } from './keywords/count-words.ts';
import { buildOutline, joinProse } from './outline.ts';
import { chooseTakeaways, chooseTldr } from './takeaways.ts';

const MAX_KEYWORDS = 12;
const MAX_SIGNALS = 8;

export interface DescribeInput {
  draft: ArticleDraft;
  /** The parsed body of the draft, with positions. */
  markdown: Root;
  /** Sanitised. */
  tree: HtmlRoot;
  plainText: string;
  language: string | null;
  facts: RenderedFacts;
}

export type TextDescription = Omit<
  DerivedArticle,
  'html' | 'plainText' | 'language' | 'headings' | 'outboundReferences' | 'contentHash'
>;

export function describeText({ draft, markdown, tree, plainText, language, facts }: DescribeInput): TextDescription {
  const sections = buildOutline(tree);
  const prose = joinProse(sections);
  const wordCount = countWords(plainText);
  const faqs = findFaqs(draft, sections);
  const headings = facts.headings.map(({ text }) => text);
  const words = weighWords(draft.title, headings, prose);
  const keywords = chooseKeywords(draft.tags, words, MAX_KEYWORDS);
  const excerpt = chooseExcerpt({ draft, sections, teaserEnd: findTeaserEnd(markdown), plainText });
  const tldr = chooseTldr(draft, sections, excerpt);
  const genre = { draft, sections, facts, prose, wordCount, keywords, faqs };
  return {
    excerpt,
    topicSignals: chooseSignals(draft, keywords),
    keywords,
    entities: findEntities({
      ...{ title: draft.title, sentences: prose, tags: draft.tags, language, inlineCode: facts.inlineCode },
    }),
    keyTakeaways: chooseTakeaways(sections, words, tldr),
    types: chooseTypes(genre),
    audience: chooseAudience(genre),
    tone: chooseTone(genre),
    primaryTopic: draft.tags[0] ?? draft.category ?? keywords[0] ?? draft.title,
    tldr,
    faqs,
    wordCount,
    readingTimeMinutes: estimateReadingTime(wordCount),
  };
}

/** The author's tags and category, then the keywords of the text. */
function chooseSignals(draft: ArticleDraft, keywords: string[]): string[] {
  const authorSignals = draft.category === null ? draft.tags : [...draft.tags, draft.category];
  const signals = new Set([...authorSignals, ...keywords]);
  return [...signals].slice(0, Math.max(MAX_SIGNALS, authorSignals.length));
}
