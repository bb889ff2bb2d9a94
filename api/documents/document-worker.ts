/**
 * What a thread of the API's document pool does: it reads and derives, and then looks at what the author's destinations would make of the
 * article. Formats take time in proportion to a body of up to 1 MiB, so they have no place on the event loop.
 */

import { buildSlug } from '../../article/identity/slug.ts';
import type { ArticleDraft, DeliverableArticle, DerivedArticle } from '../../article/types.ts';
import { rendersHtml } from '../../destinations/format/formats.ts';
import { type Preflight, preflight } from '../../destinations/format/preflight.ts';
import type { Platform } from '../../destinations/types.ts';
import type { PreflightQuestion } from './documents.ts';
import runDocumentTask, { type DocumentTask, type ExtendedAnswer } from './pool-worker.ts';

/** The pool ends a task after 5 s, and a publish must not fail for what is only said in passing. */
const RENDERING_MS = 2_500;
const LIGHT_MS = 4_000;

export default async function runApiTask(task: DocumentTask<PreflightQuestion>): Promise<ExtendedAnswer<Preflight[]>> {
  const begin = performance.now();
  const answer = await runDocumentTask(task);
  if (task.kind !== 'readAndDerive' || !task.question || !answer.read?.ok || !answer.derived) return answer;
  const { draft, bodyLine } = answer.read;
  if (draft.status === 'DRAFT' || draft.body.trim() === '') return answer;
  const { platforms, baseUrl } = task.question;
  const enabled = platforms.filter(([key]) => draft.crossPost[key]).map(([, platform]) => platform);
  const readMs = performance.now() - begin;
  const mayFormat = (platform: Platform) => hasTimeFor(platform, { readMs, spentMs: performance.now() - begin });
  const article = toDeliverable(draft, answer.derived, baseUrl);
  return { ...answer, extra: preflight(article, enabled, { bodyLine, mayFormat }) };
}

/**
 * Whether a platform's format will fit in. One that renders is reckoned to take twice as long as reading and deriving did, so a large
 * article is not rendered for each platform too; the others take a tenth of a second for 1 MiB.
 */
export function hasTimeFor(platform: Platform, { readMs, spentMs }: { readMs: number; spentMs: number }): boolean {
  return rendersHtml(platform) ? spentMs + 2 * readMs < RENDERING_MS : spentMs < LIGHT_MS;
}

/** Before the store has chosen: a slug that turns out to be taken makes no difference to what is lost. */
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
