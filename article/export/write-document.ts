/** Writes a document from the row of an article. */
import { writeFrontmatter } from '../text/write-frontmatter.ts';
import type { StoredDraft } from './stored-draft.ts';

/** Leaves out every field that has its default value. */
export function writeDocument(article: Omit<StoredDraft, 'source'>): string {
  const fields = {
    title: article.title,
    courant_id: article.id,
    subtitle: article.subtitle,
    excerpt: article.excerpt,
    tags: article.tags,
    canonical_url: article.canonicalUrl,
    base_url: article.baseUrl,
    category: article.category,
    cover_image: article.coverImage,
    lang: article.language,
    ai: article.contentSignal,
    generate_toc: article.generateToc || null,
    comments_enabled: article.commentsEnabled ? null : false,
    series_id: article.seriesId,
    status: article.status === 'PUBLISHED' ? null : article.status,
    scheduled_at: article.scheduledAt?.toISOString() ?? null,
    cross_post: article.crossPost,
  };
  return `${writeFrontmatter(fields)}\n\n${article.body}`;
}
