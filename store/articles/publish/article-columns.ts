/** Builds the columns of an article's row from a publish, including its fingerprint. */
import { buildArticleKey } from '../../../article/identity/canonical-key.ts';
import { buildTitleKey } from '../../../article/identity/match.ts';
import type { ArticleDraft, ArticleStatus, DocumentSource, RenderedArticle } from '../../../article/types.ts';
import { buildFingerprint } from './fingerprint.ts';

export interface ColumnSources {
  draft: ArticleDraft;
  rendered: RenderedArticle;
  /** The document as sent. */
  source: string;
  /** The file of the document; null if unknown. */
  documentSource: DocumentSource | null;
  /** False with `syndicationMode: "local"`. */
  syndicate: boolean;
  /** This site's address, without a trailing slash. */
  baseUrl: string;
}

export interface StateColumns {
  status: ArticleStatus;
  scheduledAt: Date | null;
  publishedAt: Date | null;
}

export function buildArticleColumns(
  { draft, rendered, source, documentSource, syndicate, baseUrl }: ColumnSources,
  state: StateColumns,
  slug: string,
) {
  const { crossPost, externalId, canonicalUrl, slug: givenSlug, ...fields } = draft;
  const columns = {
    externalId,
    slug,
    givenSlug,
    title: fields.title,
    titleKey: buildTitleKey(fields.title),
    subtitle: fields.subtitle,
    excerpt: fields.excerpt,
    tags: fields.tags,
    givenCanonicalUrl: canonicalUrl,
    canonicalKey: buildArticleKey({ canonicalUrl, slug }, baseUrl),
    baseUrl: fields.baseUrl,
    category: fields.category,
    coverImage: fields.coverImage,
    language: fields.language,
    contentSignal: fields.contentSignal,
    generateToc: fields.generateToc,
    commentsEnabled: fields.commentsEnabled,
    crossPost: JSON.stringify(crossPost),
    seriesId: fields.seriesId,
    status: state.status,
    scheduledAt: state.scheduledAt,
    publishedAt: state.publishedAt,
    syndicate,
    imported: false,
    body: fields.body,
  };
  const fingerprint = buildFingerprint(columns);
  const derived = { derived: JSON.stringify(rendered), derivedVersion: 0, contentHash: rendered.contentHash };
  // Not part of the fingerprint: moving the file changes nothing for readers.
  const sourceColumns = {
    sourceRepository: documentSource?.repository ?? null,
    sourcePath: documentSource?.path ?? null,
  };
  return { ...columns, ...derived, ...sourceColumns, source, fingerprint };
}
