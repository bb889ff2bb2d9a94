/** Finds the article that a publish updates, among those of its author. */
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { buildCanonicalKey } from '../../../article/identity/canonical-key.ts';
import { buildMatchKeys, type MatchCandidate, matchArticle } from '../../../article/identity/match.ts';
import type { ArticleDraft, ArticleStatus, DestinationKey, DocumentSource } from '../../../article/types.ts';
import { prepareOnce } from '../../db/prepared.ts';
import type { DB } from '../../db/types.ts';
import { isUuid } from '../../db/valid-keys.ts';

export interface CandidateRow extends MatchCandidate {
  status: ArticleStatus;
  fingerprint: Buffer;
  publishedAt: Date | null;
  /** Size of the stored document as it was sent. */
  sourceBytes: number;
  hasDeliveries: boolean;
}

export interface SearchedArticle {
  authorId: string;
  draft: ArticleDraft;
  /** Null if unknown. */
  documentSource: DocumentSource | null;
  baseUrl: string;
}

export interface FoundExisting {
  existing: CandidateRow | null;
  /** Whether `wantedSlug` is a former address of some article. */
  redirected: boolean;
  /** The author's connected destinations. */
  connected: DestinationKey[];
}

type FoundRow = CandidateRow & Omit<FoundExisting, 'existing'>;

/**
 * Selects the candidates and everything else that the publish needs, in one statement, since a
 * publish waits for each round trip. A key that is absent is null and matches nothing.
 */
export function buildSearch(db: Kysely<DB>, article: SearchedArticle, wantedSlug: string): CompiledQuery<FoundRow> {
  return search(db, buildSearchKeys(article, wantedSlug));
}

/** Finds the article outside of a publish. */
export async function findExisting(db: Kysely<DB>, article: SearchedArticle) {
  const { rows } = await selectCandidates(buildSearchKeys(article, '')).execute(db);
  return chooseExisting(rows, article).existing;
}

function buildSearchKeys({ authorId, ...article }: SearchedArticle, wantedSlug: string) {
  const { externalId, slug, canonicalKey, titleKey } = buildMatchRequest(article);
  const ownId = externalId !== null && isUuid(externalId) ? externalId : null;
  return { authorId, wantedSlug, externalId, ownId, slug, canonicalKey, titleKey };
}

type SearchKeys = ReturnType<typeof buildSearchKeys>;

const search = prepareOnce('find_existing', (db, keys: SearchKeys) => selectCandidates(keys).compile(db));

/**
 * Each key has its own search: in one search with `or`, a plan made while the table is small reads
 * all articles of the author. Such a plan of `exists` would read all deliveries.
 */
function selectCandidates({ authorId, wantedSlug, externalId, ownId, slug, canonicalKey, titleKey }: SearchKeys) {
  const candidates = [
    sql`title_key = ${titleKey}`,
    sql`external_id = ${externalId}::text`,
    sql`id = ${ownId}::uuid`,
    sql`slug = ${slug}::text`,
    sql`id = (select article_id from slug_redirects where slug = ${slug}::text)`,
    sql`given_slug = ${slug}::text`,
    sql`canonical_key = ${canonicalKey}::text`,
  ].map(
    (condition) => sql`select id, external_id, slug, given_slug as requested_slug, title_key,
      given_canonical_url as requested_canonical_url, canonical_key, source_repository, source_path, status, fingerprint,
      published_at, created_at, octet_length(source) as source_bytes
      from articles where author_id = ${authorId} and ${condition}`,
  );
  return sql<FoundRow>`
    select site.redirected, site.connected, a.*, former.slug as former_slug,
      coalesce((select true from deliveries d where d.article_id = a.id limit 1), false) as has_deliveries
    from (select exists (select 1 from slug_redirects where slug = ${wantedSlug}) as redirected,
      array(select destination from connections where user_id = ${authorId}) as connected) site
    left join (${sql.join(candidates, sql` union `)}) a on true
    left join slug_redirects former on former.article_id = a.id and former.slug = ${slug}::text
    order by a.created_at, a.id`;
}

/** Chooses the candidate that the publish updates. */
export function chooseExisting(rows: readonly FoundRow[], article: Omit<SearchedArticle, 'authorId'>): FoundExisting {
  const candidates = rows.filter((row) => row.id !== null);
  const [site] = rows;
  const existing = matchArticle(buildMatchRequest(article), candidates);
  return { existing, redirected: site?.redirected === true, connected: site?.connected ?? [] };
}

function buildMatchRequest({ draft, documentSource: source, baseUrl }: Omit<SearchedArticle, 'authorId'>) {
  return buildMatchKeys(draft, { canonicalKey: buildCanonicalKey(draft.canonicalUrl, baseUrl), source });
}
