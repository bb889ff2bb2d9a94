/** The lists that have a page and feeds: where each is, whose it is, and of what its answers consist. */

import { buildUrn } from '../../../article/discovery/feeds/feed.ts';
import { buildSeriesPath, buildTagPath } from '../../../article/discovery/paths.ts';
import { normaliseTags } from '../../../article/frontmatter/field-reader.ts';
import type { Database } from '../../../store/db/database.ts';
import { canBeName } from '../../../store/db/valid-keys.ts';
import type { ArticleList } from '../../../store/lists/article-list.ts';
import { findListedAuthor, findListedSeries } from '../../../store/lists/find-list.ts';
import type { Subject } from '../../http-cache/respond.ts';

export interface ReaderList {
  list: ArticleList;
  /** Never changes. */
  id: string;
  /** The heading of its page, and the title of its feeds. */
  title: string;
  description: string;
  /** Of its page; `/` for the site's. */
  path: string;
  shows: readonly Subject[];
  /** The author whose changes it shows; null where they are everybody's. */
  changesOf: string | null;
  /** A list of nobody in particular is there only as long as it has an article. */
  mayBeEmpty: boolean;
}

export interface ListDeps {
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
    shows: ['articles'],
    changesOf: null,
    mayBeEmpty: true,
  };
}

export async function findAuthorList({ db }: ListDeps, username: string): Promise<ReaderList | undefined> {
  const author = await findListedAuthor(db, username);
  if (!author) return undefined;
  return {
    list: { kind: 'author', authorId: author.id },
    id: buildUrn(author.id),
    title: author.name,
    description: `Articles by ${author.name}, published with Courant.`,
    path: `/authors/${author.username}`,
    shows: [`author:${author.id}`],
    changesOf: author.id,
    mayBeEmpty: true,
  };
}

/** A tag is found however it is written (`#JavaScript`); its `path` has it as articles keep it. */
export function findTagList({ baseUrl }: ListDeps, written: string): ReaderList | undefined {
  const [tag] = canBeName(written) ? normaliseTags([written]) : [];
  if (tag === undefined) return undefined;
  const path = buildTagPath(tag);
  return {
    list: { kind: 'tag', tag },
    id: `${baseUrl}${path}`,
    title: `#${tag}`,
    description: `Articles tagged ${tag}, published with Courant.`,
    path,
    shows: ['articles'],
    changesOf: null,
    mayBeEmpty: false,
  };
}

export async function findSeriesList({ db }: ListDeps, id: string): Promise<ReaderList | undefined> {
  const series = await findListedSeries(db, id);
  if (!series) return undefined;
  return {
    list: { kind: 'series', seriesId: series.id },
    id: buildUrn(series.id),
    title: series.title,
    description: `A series by ${series.authorName}, published with Courant.`,
    path: buildSeriesPath(series.id),
    // Its author's name, and whether they take part, belong to it.
    shows: [`series:${series.id}`, `author:${series.authorId}`],
    changesOf: series.authorId,
    mayBeEmpty: false,
  };
}
