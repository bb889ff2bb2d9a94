/** Serves the front page and the lists of authors, tags and series, each also as Markdown. */
import type { FastifyInstance } from 'fastify';
import { buildSiteJsonLd } from '../../../article/discovery/json-ld.ts';
import { formatListAlternate } from '../../../article/discovery/markdown-alternate.ts';
import { describeSite } from '../../../article/discovery/site.ts';
import { findLastChange } from '../../../store/changes/list-changes.ts';
import { findBusyLists } from '../../../store/lists/busy-lists.ts';
import { type ArticleCard, listArticles, listParts } from '../../../store/lists/list-articles.ts';
import { findNewestRoundup } from '../../../store/roundups/read-roundups.ts';
import { findPublicProfile } from '../../../store/users/profile.ts';
import type { PublicDeps } from '../../deps.ts';
import type { PublicResponse } from '../../http-cache/public-response.ts';
import {
  buildAbsentResponse,
  buildFormResponse,
  type Representation,
  servePage,
  servePages,
} from '../alternates/alternates.ts';
import { type Link, listListLinks } from '../alternates/links.ts';
import { buildSiteList, LIST_FOLDERS, type ReaderList } from '../alternates/reader-lists.ts';
import { renderHomePage, renderListHead, renderListPage } from './list-page.ts';

const LIST_LENGTH = 30;
/** Shorter than a list, because the front page shows more than articles. */
const HOME_LENGTH = 13;
/** A series is listed from its first part, so it needs a larger limit. */
const MAX_PARTS = 200;

export async function listPageRoutes(app: FastifyInstance, { db, responder, config, now }: PublicDeps) {
  const { baseUrl } = config;
  const lists = { db, baseUrl };

  servePage(app, responder, { path: '/', markdownPath: '/index.md' }, (form) =>
    buildResponse(buildSiteList(lists), form),
  );
  for (const [folder, findList] of Object.entries(LIST_FOLDERS)) {
    servePages(app, responder, folder, async (name, form, path) => {
      const list = await findList(lists, name);
      if (!list) return buildAbsentResponse(form);
      if (list.path === path) return buildResponse(list, form);
      return { status: 301, location: `${baseUrl}${list.path}`, cacheTags: list.cacheTags };
    });
  }

  async function buildResponse(list: ReaderList, form: Representation): Promise<PublicResponse> {
    // Read before the entries: a change in between can make the date too old, never too new.
    const lastModified = await findLastChange(db, list.onlyAuthorId);
    const entries =
      list.list.kind === 'series'
        ? await listParts(db, list.list, MAX_PARTS)
        : await listArticles(db, list.list, LIST_LENGTH);
    if (entries.length === 0 && !list.canBeEmpty) return buildAbsentResponse(form);
    const links = listListLinks(list, baseUrl);
    const common = { links, signal: config.contentSignal };
    if (form === 'page') {
      const render = list.list.kind === 'site' ? renderHome : renderList;
      return buildFormResponse(form, {
        ...common,
        ...describePage(list, lastModified),
        body: await render(list, entries, links),
      });
    }
    const { title, description, path, cacheTags } = list;
    const body = formatListAlternate({ title, description, address: `${baseUrl}${path}` }, { baseUrl, entries });
    return buildFormResponse(form, { ...common, body, lastModified, cacheTags });
  }

  /** Cache tags and date of the page, including what it shows besides the list. */
  function describePage(
    { list, cacheTags }: ReaderList,
    lastModified: Date | null,
  ): Pick<PublicResponse, 'lastModified' | 'cacheTags'> {
    if (list.kind === 'site') return { lastModified, cacheTags: [...cacheTags, 'roundups'] };
    if (list.kind !== 'author') return { lastModified, cacheTags };
    // The follower count changes without the articles, so the page is dated by its rendering.
    return { lastModified: now(), cacheTags: [...cacheTags, `followers:${list.authorId}`] };
  }

  async function renderHome(list: ReaderList, entries: readonly ArticleCard[], links: readonly Link[]) {
    const busy = await findBusyLists(db, { tags: 16, authors: 8 });
    const head = renderListHead(links, buildSiteJsonLd(describeSite(baseUrl)));
    const newest = entries.slice(0, HOME_LENGTH);
    return renderHomePage(list, { newest, busy, roundup: await findNewestRoundup(db) }, head);
  }

  async function renderList(list: ReaderList, entries: readonly ArticleCard[], links: readonly Link[]) {
    const { kind } = list.list;
    const author = list.path.replace(/^\/authors\//, '');
    const profile = kind === 'author' ? await findPublicProfile(db, author) : undefined;
    const filter = kind === 'author' ? `author=${author}` : `tag=${encodeURIComponent(list.title.slice(1))}`;
    const olderPath = kind !== 'series' && entries.length === LIST_LENGTH ? `/archive?${filter}` : null;
    return renderListPage({ list, entries, isOrdered: kind === 'series', olderPath, profile }, renderListHead(links));
  }
}
