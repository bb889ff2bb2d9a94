/** Decides the state of an article at a publish. */
import type { ArticleDraft, Notice } from '../../../article/types.ts';
import type { StateColumns } from './article-columns.ts';
import type { CandidateRow } from './find-existing.ts';

export function decideState(
  draft: ArticleDraft,
  existing: CandidateRow | null,
  now: Date,
): StateColumns & { warnings: Notice[] } {
  const publishedAt = existing?.publishedAt ?? null;
  if (draft.status === 'SCHEDULED' && existing?.status === 'PUBLISHED') {
    const message = 'The article is already public and stays public; the future scheduled_at was not applied.';
    const warning = { code: 'already_public', path: 'scheduled_at', message };
    return { status: 'PUBLISHED', scheduledAt: null, publishedAt, warnings: [warning] };
  }
  return {
    status: draft.status,
    scheduledAt: draft.status === 'SCHEDULED' ? draft.scheduledAt : null,
    publishedAt: draft.status === 'PUBLISHED' ? (publishedAt ?? now) : publishedAt,
    warnings: [],
  };
}
