/** The description of an article whose text takes too long to be described: what its author said of it, and what is counted. */
import type { ArticleDraft, DerivedArticle, RenderedArticle } from '../types.ts';
import { countWords, estimateReadingTime } from './keywords/count-words.ts';

const COUNTED = 50_000;

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

/** Of a long text a part is counted and the rest reckoned: counting 1 MiB would hold up the event loop. */
function estimateWords(text: string): number {
  const part = text.slice(0, COUNTED);
  return part === '' ? 0 : Math.round((countWords(part) * text.length) / part.length);
}
