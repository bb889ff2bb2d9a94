/** Serves the front page and the lists of authors, tags and series, each also as Markdown. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { buildSiteJsonLd } from '../../../article/discovery/json-ld.ts';
import { formatListAlternate } from '../../../article/discovery/markdown-alternate.ts';
import { encodePathName } from '../../../article/discovery/paths.ts';
import { describeSite } from '../../../article/discovery/site.ts';
import { findLastChange } from '../../../store/changes/last-change.ts';
import { findBusyLists } from '../../../store/lists/busy-lists.ts';
import { type ListedArticle, listArticles, listParts } from '../../../store/lists/list-articles.ts';
import { findNewestRoundup } from '../../../store/roundups/read-roundups.ts';
import { findPublicProfile } from '../../../store/users/profile.ts';
import type { ApiDeps } from '../../deps.ts';
import type { PublicResponder } from '../../http-cache/public-responder.ts';
import type { PermanentRedirect, PublicResponse } from '../../http-cache/public-response.ts';
import { buildPageResponse } from '../../web/page-response.ts';
import {
  addRelationHeaders,
  buildAbsentResponse,
  createRepresentations,
  parseFormName,
  type Representation,
  sendPageForm,
} from '../alternates/alternates.ts';
import { type Link, listListLinks } from '../alternates/links.ts';
import { buildMarkdownResponse } from '../alternates/markdown-alternates.ts';
import {
  buildSiteList,
  findAuthorList,
  findSeriesList,
  findTagList,
  type ReaderList,
} from '../alternates/reader-lists.ts';
import { renderHomePage } from './home-page.ts';
import { renderListHead, renderListPage } from './list-page.ts';

const LIST_LENGTH = 30;
/** Shorter than a list, because the front page shows more than articles. */
const HOME_LENGTH = 13;
/** A series is listed from its first part, so it needs a larger limit. */
const MAX_PARTS = 200;

export async function listPageRoutes(
  fastify: FastifyInstance,
  deps: Pick<ApiDeps, 'db' | 'config' | 'now'> & { responder: PublicResponder },
) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  const { db, responder, config, now } = deps;
  const { baseUrl } = config;
  const lists = { db, baseUrl };

  for (const [path, isMarkdown] of [
    ['/', false],
    ['/index.md', true],
  ] as const) {
    app.get(path, { schema: { hide: true } }, (request, reply) => {
      const representations = createRepresentations((representation) =>
        buildListResponse(buildSiteList(lists), representation),
      );
      return sendPageForm(
        responder,
        { request, reply, isMarkdown },
        { path: '/', markdownPath: '/index.md', ...representations },
      );
    });
  }
  serve('/authors', (username) => findAuthorList(lists, username));
  serve('/tags', (tag) => findTagList(lists, tag));
  serve('/series', (id) => findSeriesList(lists, id));

  function serve(
    folder: string,
    findList: (name: string) => Promise<ReaderList | undefined> | ReaderList | undefined,
  ): void {
    const schema = { hide: true, params: Type.Object({ name: Type.String() }) };
    app.get(`${folder}/:name`, { schema }, (request, reply) => {
      const { name, isMarkdown } = parseFormName(request.params.name, request);
      const path = `${folder}/${encodePathName(name)}`;
      const representations = createRepresentations(
        async (representation): Promise<PublicResponse | PermanentRedirect> => {
          const list = await findList(name);
          if (!list) return buildAbsentResponse(representation);
          if (list.path === path) return buildListResponse(list, representation);
          return { status: 301, location: `${baseUrl}${list.path}`, cacheTags: list.cacheTags };
        },
      );
      return sendPageForm(responder, { request, reply, isMarkdown }, { path, ...representations });
    });
  }

  async function buildListResponse(list: ReaderList, representation: Representation): Promise<PublicResponse> {
    // Read before the entries: a change in between can make the date too old, never too new.
    const lastModified = await findLastChange(db, list.onlyAuthorId);
    const entries = await listEntries(list);
    if (entries.length === 0 && !list.canBeEmpty) return buildAbsentResponse(representation);
    const links = listListLinks(list, baseUrl);
    const isHome = list.list.kind === 'site';
    const cacheFields =
      representation === 'page' ? describePage(list, lastModified) : { lastModified, cacheTags: list.cacheTags };
    const response =
      representation === 'page'
        ? buildPageResponse(
            isHome ? await renderHome(list, entries, links) : await renderList(list, entries, links),
            cacheFields,
          )
        : buildMarkdownResponse(
            formatListAlternate(
              { title: list.title, description: list.description, address: `${baseUrl}${list.path}` },
              { baseUrl, entries },
            ),
            links,
            cacheFields,
          );
    return addRelationHeaders(response, links, config.contentSignal);
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

  function listEntries({ list }: ReaderList): Promise<ListedArticle[]> {
    return list.kind === 'series' ? listParts(db, list, MAX_PARTS) : listArticles(db, list, LIST_LENGTH);
  }

  async function renderHome(
    list: ReaderList,
    newest: readonly ListedArticle[],
    links: readonly Link[],
  ): Promise<string> {
    const busy = await findBusyLists(db, { tags: 16, authors: 8 });
    const head = renderListHead(links, buildSiteJsonLd(describeSite(baseUrl)));
    return renderHomePage(
      list,
      { newest: newest.slice(0, HOME_LENGTH), busy, roundup: await findNewestRoundup(db) },
      head,
    );
  }

  async function renderList(
    list: ReaderList,
    entries: readonly ListedArticle[],
    links: readonly Link[],
  ): Promise<string> {
    const { kind } = list.list;
    if (kind === 'site' || kind === 'author-tag') throw new Error('there is no page of this list');
    const author = list.path.replace(/^\/authors\//, '');
    const profile = kind === 'author' ? await findPublicProfile(db, author) : undefined;
    const filter = kind === 'author' ? `author=${author}` : `tag=${encodeURIComponent(list.title.slice(1))}`;
    const olderPath = kind !== 'series' && entries.length === LIST_LENGTH ? `/archive?${filter}` : null;
    return renderListPage({ list, entries, kind, olderPath, ...(profile ? { profile } : {}) }, renderListHead(links));
  }
}
