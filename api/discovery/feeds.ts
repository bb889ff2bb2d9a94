/** Serves RSS, Atom and JSON Feed of the site, authors, tags and series: 30 articles each. */
import type { FastifyInstance } from 'fastify';
import { buildAuthorUrl } from '../../article/discovery/addresses.ts';
import { decideContentSignal, formatContentSignal } from '../../article/discovery/content-signal.ts';
import { type FeedEntry, MAX_FEED_ENTRIES } from '../../article/discovery/feeds/feed.ts';
import { buildFeedUrl, FEED_FORMATS, type FeedFormat } from '../../article/discovery/feeds/feed-formats.ts';
import { encodePathName } from '../../article/discovery/paths.ts';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import { findLastChange } from '../../store/changes/list-changes.ts';
import { type FeedArticle, listForFeed } from '../../store/lists/list-for-feed.ts';
import { buildSiteList, LIST_FOLDERS, type ReaderList } from '../articles/alternates/reader-lists.ts';
import type { PublicDeps } from '../deps.ts';
import type { PublicResponse } from '../http-cache/public-response.ts';
import { ProblemError } from '../plugins/errors/problem.ts';

/** Total of all texts. Feed readers fetch a feed about hourly, and many reject a larger one. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
/** Update time of an empty feed, because Atom requires one. */
const NEVER = new Date(0);

export async function feedRoutes(app: FastifyInstance, { db, config, responder }: PublicDeps) {
  const { baseUrl } = config;
  const lists = { db, baseUrl };

  for (const format of FEED_FORMATS) {
    responder.serve(app, `/${format.file}`, () => buildFeed(buildSiteList(lists), format));
    for (const [folder, findList] of Object.entries(LIST_FOLDERS)) {
      app.get<{ Params: { name: string } }>(`${folder}/:name/${format.file}`, (request, reply) => {
        const { name } = request.params;
        const path = `${folder}/${encodePathName(name)}`;
        return responder.send(request, reply, {
          key: `${path}/${format.file}`,
          async make() {
            const list = await findList(lists, name);
            if (!list) throw notFound();
            if (list.path === path) return buildFeed(list, format);
            return { status: 301, location: buildFeedUrl(list.path, format), cacheTags: list.cacheTags };
          },
        });
      });
    }
  }

  async function buildFeed(list: ReaderList, format: FeedFormat): Promise<PublicResponse> {
    const lastModified = await findLastChange(db, list.onlyAuthorId);
    const articles = await listForFeed(db, list.list, { limit: MAX_FEED_ENTRIES, maxHtmlBytes: MAX_TEXT_BYTES });
    if (articles.length === 0 && !list.canBeEmpty) throw notFound();
    const updatedAt = new Date(Math.max(NEVER.getTime(), ...articles.map(({ renderedAt }) => renderedAt.getTime())));
    const pageUrl = `${baseUrl}${list.path}`;
    const { id, title, description, cacheTags } = list;
    const url = buildFeedUrl(pageUrl, format);
    const body = format.format({ id, title, description, pageUrl, url, updatedAt, entries: articles.map(toEntry) });
    return { status: 200, type: `${format.type}; charset=utf-8`, body, lastModified, cacheTags };
  }

  function toEntry(row: FeedArticle): FeedEntry {
    const { slug, authorName, authorUsername, givenCanonicalUrl, contentSignal, authorSignal, ...rest } = row;
    const url = buildArticleUrl(baseUrl, slug);
    const signal = decideContentSignal(config.contentSignal, { authorSignal, contentSignal });
    return {
      ...rest,
      url,
      canonicalUrl: givenCanonicalUrl ?? url,
      author: { name: authorName, url: buildAuthorUrl(baseUrl, authorUsername) },
      contentSignal: formatContentSignal(signal) || null,
    };
  }
}

function notFound(): ProblemError {
  return new ProblemError(404, 'not_found', 'There is no feed at this address.');
}
