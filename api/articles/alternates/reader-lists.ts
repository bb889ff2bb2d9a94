/** Describes the lists that have a page and feeds: path, title, filter and cache tags. */
import { buildUrn } from '../../../article/discovery/feeds/feed.ts';
import { buildSeriesPath, buildTagPath } from '../../../article/discovery/paths.ts';
import { normaliseTags } from '../../../article/frontmatter/field-reader.ts';
import type { Database } from '../../../store/db/database.ts';
import { isStorableName } from '../../../store/db/valid-keys.ts';
import type { ArticleList } from '../../../store/lists/article-list.ts';
import { findListedAuthor, findListedSeries } from '../../../store/lists/find-list.ts';
import type { CacheTag } from '../../http-cache/public-response.ts';

export interface ReaderList {
  list: ArticleList;
  /** Permanent feed id. */
  id: string;
  /** Heading of the page and title of the feeds. */
  title: string;
  description: string;
  /** Path of the page; `/` for the site. */
  path: string;
  cacheTags: readonly CacheTag[];
  /** Id of the only author in the list. Null if it can show articles of all authors. */
  onlyAuthorId: string | null;
  /** False for tags and series: their empty lists give 404. */
  canBeEmpty: boolean;
}

interface ListDeps {
  db: Database;
  baseUrl: string;
}

export function buildSiteList({ baseUrl }: ListDeps): ReaderList {
  return {
    list: { kind: 'site' },
    id: `${baseUrl}/`,
    title: 'Courant',
    description: 'Articles, published with Courant.',
    path: '/',
    cacheTags: ['articles'],
    onlyAuthorId: null,
    canBeEmpty: true,
  };
}

async function findAuthorList({ db }: ListDeps, username: string): Promise<ReaderList | undefined> {
  const author = await findListedAuthor(db, username);
  if (!author) return undefined;
  return {
    list: { kind: 'author', authorId: author.id },
    id: buildUrn(author.id),
    title: author.name,
    description: `Articles by ${author.name}, published with Courant.`,
    path: `/authors/${author.username}`,
    cacheTags: [`author:${author.id}`],
    onlyAuthorId: author.id,
    canBeEmpty: true,
  };
}

/** Accepts any spelling of a tag (`#JavaScript`). `path` has the normalised one. */
function findTagList({ baseUrl }: ListDeps, spelling: string): ReaderList | undefined {
  const [tag] = isStorableName(spelling) ? normaliseTags([spelling]) : [];
  if (tag === undefined) return undefined;
  const path = buildTagPath(tag);
  return {
    list: { kind: 'tag', tag },
    id: `${baseUrl}${path}`,
    title: `#${tag}`,
    description: `Articles tagged ${tag}, published with Courant.`,
    path,
    cacheTags: ['articles'],
    onlyAuthorId: null,
    canBeEmpty: false,
  };
}

async function findSeriesList({ db }: ListDeps, id: string): Promise<ReaderList | undefined> {
  const series = await findListedSeries(db, id);
  if (!series) return undefined;
  return {
    list: { kind: 'series', seriesId: series.id },
    id: buildUrn(series.id),
    title: series.title,
    description: `A series by ${series.authorName}, published with Courant.`,
    path: buildSeriesPath(series.id),
    // The list shows its author's name, and disappears if the author is suspended.
    cacheTags: [`series:${series.id}`, `author:${series.authorId}`],
    onlyAuthorId: series.authorId,
    canBeEmpty: false,
  };
}

/** Finds the list at a path below each folder. */
export const LIST_FOLDERS = { '/authors': findAuthorList, '/tags': findTagList, '/series': findSeriesList } as const;
