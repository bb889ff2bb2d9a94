/** The description of an article whose text takes too long to be described: what its author said of it, and what is counted. */
import type { ArticleDraft, DerivedArticle, RenderedArticle } from '../types.ts';
import { countWords, estimateReadingTime } from './count-words.ts';

export function describeBriefly(
  draft: Pick<ArticleDraft, 'title' | 'tags' | 'category'>,
  rendered: RenderedArticle,
): DerivedArticle {
  const wordCount = countWords(rendered.plainText);
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
