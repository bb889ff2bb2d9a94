/** The thread of the conversion pool: reads a feed or converts a post into an article. */
import { MAX_CONTENT_BYTES } from '../../article/content-limit.ts';
import { renderArticle } from '../../article/derive.ts';
import { TooComplexError } from '../../article/errors.ts';
import { type ConvertedPost, convertPost } from '../../article/import/convert-post.ts';
import { type FeedBytes, type FeedResult, readFeed } from '../../article/import/feed/read-feed.ts';
import { type DocumentImages, replaceDocumentImages } from '../../article/import/post-images.ts';
import type { ImportRefusalCode } from '../../article/import/refusal-codes.ts';
import type { SourcePost } from '../../article/import/source-post.ts';
import { readDocument } from '../../article/read-document.ts';
import type { ArticleDraft, Notice, RenderedArticle } from '../../article/types.ts';
import type { InThread } from '../../runtime/threads/pool.ts';
import { markTaskStarted } from '../../runtime/threads/task-clock.ts';

export interface FeedTask {
  feed: FeedBytes;
}

export interface PostTask {
  post: SourcePost;
  isDraft: boolean;
  copies: ReadonlyMap<string, string> | null;
  siteOrigin: string;
  now: Date;
}

/** An imported article. Its pictures are copied later. */
export interface ImagesTask {
  document: string;
  copies: ReadonlyMap<string, string>;
  siteOrigin: string;
  now: Date;
}

export type ArticleWithImages =
  | ({ ok: true; draft: ArticleDraft; rendered: RenderedArticle } & DocumentImages)
  | { ok: false; code: ImportRefusalCode; reason: string };

/** An article that can be stored, or the reason why it cannot. */
export type ConvertedArticle =
  | ({ ok: true; draft: ArticleDraft; rendered: RenderedArticle } & ConvertedPost)
  | { ok: false; code: ImportRefusalCode; reason: string };

export type Task = FeedTask | PostTask | ImagesTask;

export default function runTask(task: InThread<Task>): FeedResult | ConvertedArticle | ArticleWithImages {
  markTaskStarted(task.begun);
  if ('feed' in task) return readFeed(task.feed);
  return 'post' in task ? convert(task) : replaceImages(task);
}

function replaceImages({ document, copies, siteOrigin, now }: ImagesTask): ArticleWithImages {
  const before = readArticle(document, { siteOrigin, now });
  if (!before.ok) return before;
  const replaced = replaceDocumentImages(document, before.draft, copies);
  const after = replaced.document === document ? before : readArticle(replaced.document, { siteOrigin, now });
  return after.ok ? { ...after, ...replaced } : after;
}

function convert({ post, isDraft, copies, siteOrigin, now }: PostTask): ConvertedArticle {
  try {
    const converted = convertPost(post, { isDraft, copies });
    const article = readArticle(converted.document, { siteOrigin, now });
    if (!article.ok) return article;
    return { ...converted, ...article, warnings: [...converted.warnings, ...article.warnings] };
  } catch (error) {
    if (!(error instanceof TooComplexError)) throw error;
    return { ok: false, code: 'too_complex', reason: error.message };
  }
}

/** `warnings` quote texts that the rendered article omits. */
type ReadArticle =
  | { ok: true; draft: ArticleDraft; rendered: RenderedArticle; warnings: Notice[] }
  | Extract<ConvertedArticle, { ok: false }>;

function readArticle(document: string, { siteOrigin, now }: { siteOrigin: string; now: Date }): ReadArticle {
  const bytes = Buffer.byteLength(document);
  if (bytes > MAX_CONTENT_BYTES) {
    const reason = `The article has ${bytes} bytes; at most ${MAX_CONTENT_BYTES} are accepted.`;
    return { ok: false, code: 'too_large', reason };
  }
  try {
    const read = readDocument({ content: document, now });
    if (!read.ok) {
      const [first] = read.problems;
      return { ok: false, code: first?.code ?? 'unreadable', reason: first?.message ?? 'The text cannot be read.' };
    }
    const warnings = read.warnings.filter(({ code }) => code === 'text_removed');
    return { ok: true, draft: read.draft, rendered: renderArticle(read.draft, { siteOrigin }), warnings };
  } catch (error) {
    if (!(error instanceof TooComplexError)) throw error;
    return { ok: false, code: 'too_complex', reason: error.message };
  }
}
