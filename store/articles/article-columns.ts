/** What a publish writes into the article's row, and the fingerprint by which an unchanged publish is recognised. */
import { createHash } from 'node:crypto';
import { buildCanonicalKey, buildOwnKey } from '../../article/identity/canonical-key.ts';
import { buildTitleKey } from '../../article/identity/match.ts';
import type { ArticleDraft, ArticleStatus, RenderedArticle } from '../../article/types.ts';

export interface ColumnSources {
  draft: ArticleDraft;
  rendered: RenderedArticle;
  /** The document as sent. */
  source: string;
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
  { draft, rendered, source, syndicate, baseUrl }: ColumnSources,
  state: StateColumns,
  slug: string,
) {
  const {
    crossPost,
    crossPostNamed: _,
    scheduledZone: _zone,
    externalId,
    canonicalUrl,
    slug: givenSlug,
    ...fields
  } = draft;
  const givenKey = canonicalUrl === null ? null : buildCanonicalKey(canonicalUrl, baseUrl);
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
    canonicalKey: givenKey ?? buildOwnKey(slug),
    baseUrl: fields.baseUrl,
    category: fields.category,
    coverImage: fields.coverImage,
    language: fields.language,
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
  const { publishedAt: _at, syndicate: _syndicate, externalId: _id, givenSlug: _slug, language, ...compared } = columns;
  // Where it is not given it is left out, so that articles from before it was read are still the same.
  const fingerprint = createHash('sha256')
    .update(JSON.stringify({ ...compared, language: language ?? undefined }))
    .digest();
  const derived = { derived: JSON.stringify(rendered), derivedVersion: 0, contentHash: rendered.contentHash };
  return { ...columns, ...derived, source, fingerprint };
}
