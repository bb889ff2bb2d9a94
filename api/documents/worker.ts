/**
 * What a thread of the document pool does, one document at a time: it reads and derives, and then formats the article for the author's
 * destinations to see what they would lose or refuse. Formats take time in proportion to a body of up to 1 MiB, so they have no place on
 * the event loop. Neither have comments, which may be short and yet slow.
 */
import { type DeriveOptions, deriveArticle } from '../../article/derive.ts';
import { TooComplexError } from '../../article/errors.ts';
import { buildSlug } from '../../article/identity/slug.ts';
import { readDocument } from '../../article/read-document.ts';
import { type RenderedComment, renderComment } from '../../article/render/render-comment.ts';
import type {
  ArticleDraft,
  DeliverableArticle,
  DerivedArticle,
  DocumentInput,
  ReadResult,
} from '../../article/types.ts';
import { rendersHtml } from '../../destinations/format/platform-formats.ts';
import { type Preflight, preflight } from '../../destinations/format/preflight.ts';
import type { Platform } from '../../destinations/types.ts';
import { markBegun } from '../../threads/begun.ts';
import type { InThread } from '../../threads/pool.ts';
import type { PreflightQuestion } from './preflight-question.ts';

export interface DocumentTask {
  input: DocumentInput;
  options: DeriveOptions;
  question: PreflightQuestion | undefined;
}

export interface CommentTask {
  /** Markdown. */
  comment: string;
  siteOrigin: string;
}

export interface CommentAnswer {
  rendered?: RenderedComment;
  tooComplex?: { message: string; line: number | undefined };
}

export interface DocumentAnswer {
  read?: ReadResult;
  /** Null where the document is refused. */
  derived?: DerivedArticle | null;
  /** Where the task asked for them, and the article is one that will be delivered. */
  preflights?: Preflight[];
  tooComplex?: { message: string; line: number | undefined };
}

/** The pool ends a task after 5 s, and a publish must not fail because of its warnings. */
const RENDERING_MS = 2_500;
const LIGHT_MS = 4_000;

export default function runTask({
  begun,
  ...task
}: InThread<DocumentTask | CommentTask>): Promise<DocumentAnswer> | CommentAnswer {
  markBegun(begun);
  return 'comment' in task ? runCommentTask(task) : runDocumentTask(task);
}

async function runDocumentTask({ input, options, question }: DocumentTask): Promise<DocumentAnswer> {
  const begin = performance.now();
  const answer = await readAndDerive(input, options);
  if (!question || !answer.read?.ok || !answer.derived) return answer;
  const { draft, bodyLine } = answer.read;
  if (draft.status === 'DRAFT' || draft.body.trim() === '') return answer;
  const { platforms, baseUrl } = question;
  const enabled = platforms.filter(([key]) => draft.crossPost[key]).map(([, platform]) => platform);
  const readMs = performance.now() - begin;
  const mayFormat = (platform: Platform) => hasTimeFor(platform, { readMs, spentMs: performance.now() - begin });
  const article = toDeliverable(draft, answer.derived, baseUrl);
  return { ...answer, preflights: preflight(article, enabled, { bodyLine, mayFormat }) };
}

function runCommentTask({ comment, siteOrigin }: CommentTask): CommentAnswer {
  try {
    return { rendered: renderComment(comment, siteOrigin) };
  } catch (error) {
    return describeExcess(error);
  }
}

/**
 * Whether a platform's format will fit in. One that renders is reckoned to take twice as long as reading and deriving did, so a large
 * article is not rendered for each platform too; the others take a tenth of a second for 1 MiB.
 */
export function hasTimeFor(platform: Platform, { readMs, spentMs }: { readMs: number; spentMs: number }): boolean {
  return rendersHtml(platform) ? spentMs + 2 * readMs < RENDERING_MS : spentMs < LIGHT_MS;
}

async function readAndDerive(input: DocumentInput, options: DeriveOptions): Promise<DocumentAnswer> {
  try {
    const read = readDocument(input);
    return { read, derived: read.ok ? await deriveArticle(read.draft, options) : null };
  } catch (error) {
    return describeExcess(error);
  }
}

/** As data: errors lose their class between threads. Throws any other error. */
function describeExcess(error: unknown): { tooComplex: { message: string; line: number | undefined } } {
  if (error instanceof TooComplexError) return { tooComplex: { message: error.message, line: error.line } };
  throw error;
}

/** Before the store has chosen the slug: one that turns out to be taken makes no difference to what is lost. */
function toDeliverable(draft: ArticleDraft, { excerpt }: DerivedArticle, baseUrl: string): DeliverableArticle {
  const slug = draft.slug ?? buildSlug(draft.title);
  const { title, subtitle, tags, coverImage, generateToc, commentsEnabled, body } = draft;
  const canonicalUrl = draft.canonicalUrl ?? `${baseUrl}/${encodeURIComponent(slug)}`;
  return {
    id: slug,
    slug,
    title,
    subtitle,
    excerpt,
    tags,
    canonicalUrl,
    coverImage,
    generateToc,
    commentsEnabled,
    body,
  };
}
