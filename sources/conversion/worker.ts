/** A thread of the conversion pool: reads a feed, or makes an article of a post. */
import { MAX_CONTENT_BYTES } from '../../article/content-limit.ts';
import { renderArticle } from '../../article/derive.ts';
import { TooComplexError } from '../../article/errors.ts';
import { type ConvertedPost, convertPost } from '../../article/import/convert-post.ts';
import { type FeedBytes, type FeedReading, readFeed } from '../../article/import/feed/read-feed.ts';
import type { SourcePost } from '../../article/import/source-post.ts';
import { readDocument } from '../../article/read-document.ts';
import type { ArticleDraft, RenderedArticle } from '../../article/types.ts';
import { markBegun } from '../../threads/begun.ts';
import type { InThread } from '../../threads/pool.ts';

export interface FeedTask {
  feed: FeedBytes;
}

export interface PostTask {
  post: SourcePost;
  isDraft: boolean;
  /** See `ConversionOptions.copies`. */
  copies: ReadonlyMap<string, string> | null;
  /** This site's address. */
  siteOrigin: string;
  now: Date;
}

/** An article that can be stored; or the reason why it cannot. */
export type ConvertedArticle =
  | ({ ok: true; draft: ArticleDraft; rendered: RenderedArticle } & ConvertedPost)
  | { ok: false; code: string; reason: string };

export default function runTask(task: InThread<FeedTask | PostTask>): FeedReading | ConvertedArticle {
  markBegun(task.begun);
  return 'feed' in task ? readFeed(task.feed) : convert(task);
}

function convert({ post, isDraft, copies, siteOrigin, now }: PostTask): ConvertedArticle {
  try {
    const converted = convertPost(post, { isDraft, copies });
    const bytes = Buffer.byteLength(converted.document);
    if (bytes > MAX_CONTENT_BYTES) {
      return {
        ok: false,
        code: 'too_large',
        reason: `The article has ${bytes} bytes; at most ${MAX_CONTENT_BYTES} are taken.`,
      };
    }
    const read = readDocument({ content: converted.document, now });
    if (!read.ok) {
      const [first] = read.problems;
      return { ok: false, code: first?.code ?? 'unreadable', reason: first?.message ?? 'The text cannot be read.' };
    }
    const { draft } = read;
    return { ok: true, ...converted, draft, rendered: renderArticle(draft, { siteOrigin }) };
  } catch (error) {
    if (!(error instanceof TooComplexError)) throw error;
    return { ok: false, code: 'too_complex', reason: error.message };
  }
}
