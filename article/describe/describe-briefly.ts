/** Describes an article that takes too long to analyse, by its author's fields and an estimate. */
import type { ArticleDraft, DerivedArticle, RenderedArticle } from '../types.ts';
import { countWords, estimateReadingTime } from './keywords/count-words.ts';

const MAX_COUNTED_LENGTH = 50_000;

export function describeBriefly(
  draft: Pick<ArticleDraft, 'title' | 'tags' | 'category'>,
  rendered: RenderedArticle,
): DerivedArticle {
  const wordCount = estimateWords(rendered.plainText);
  const topicSignals = draft.category === null ? draft.tags : [...new Set([...draft.tags, draft.category])];
  return {
    ...rendered,
    topicSignals,
    keywords: draft.tags,
    entities: [],
    keyTakeaways: [],
    types: ['BlogPosting'],
    audience: 'developers',
    tone: 'explanatory',
    primaryTopic: draft.tags[0] ?? draft.category ?? draft.title,
    tldr: rendered.excerpt,
    faqs: null,
    wordCount,
    readingTimeMinutes: estimateReadingTime(wordCount),
  };
}

/** Counts the start of a long text and extrapolates: counting 1 MiB would block the event loop. */
function estimateWords(text: string): number {
  const part = text.slice(0, MAX_COUNTED_LENGTH);
  return part === '' ? 0 : Math.round((countWords(part) * text.length) / part.length);
}
