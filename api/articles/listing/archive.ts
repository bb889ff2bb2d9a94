/** Serves the paged archive of the site, of an author (`?author=`) or of a tag (`?tag=`). */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findLastChange } from '../../../store/changes/last-change.ts';
import type { ApiDeps } from '../../deps.ts';
import type { PublicResponder } from '../../http-cache/public-responder.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { renderNotFoundPage } from '../../web/not-found-page.ts';
import { buildPageResponse } from '../../web/page-response.ts';
import { sendPage } from '../../web/send-page.ts';
import { listPageLinks } from '../alternates/links.ts';
import { renderArchivePage } from './archive-page.ts';
import { renderListHead } from './list-page.ts';
import { readListQuery } from './list-query.ts';
import { readList } from './read-list.ts';
import { toTeaser } from './to-teaser.ts';

const PATH = '/archive';
const PAGE_LENGTH = 50;

export async function archiveRoutes(app: FastifyInstance, deps: ApiDeps & { responder: PublicResponder }) {
  const { db, config, now, responder } = deps;
  const { baseUrl } = config;

  const options = { schema: { hide: true }, errorHandler: sendNotFound };
  app.get<{ Querystring: Record<string, unknown> }>(PATH, options, async (request, reply) => {
    const { author, tag, after } = readArchiveQuery(request.query);
    const make = async () => {
      const query = { terms: null, q: null, author, tag, after, first: PAGE_LENGTH };
      const { data, next } = await readList({ db, baseUrl, now }, query, 'person');
      const filters = { ...(author === null ? {} : { author }), ...(tag === null ? {} : { tag }) };
      return renderArchivePage({
        title: author === null ? (tag === null ? 'Archive' : `Archive of #${tag}`) : `Archive of @${author}`,
        entries: data.map(toTeaser),
        firstPath: buildPath(filters),
        olderPath: next === null ? null : buildPath({ ...filters, after: next }),
        isFirst: after === null,
        head: renderListHead(listPageLinks(PATH, baseUrl)),
      });
    };
    // Other pages are numerous and rarely requested twice, so they are not cached.
    if (after !== null || author !== null || tag !== null)
      return sendPage(reply, 200, await make(), { 'cache-control': 'no-cache' });
    const buildResponse = async () => {
      const lastModified = await findLastChange(db);
      return buildPageResponse(await make(), { lastModified, cacheTags: ['articles'] });
    };
    return responder.send(request, reply, { key: PATH, make: buildResponse });
  });
}

/** An invalid author, tag or cursor gives the 404 page. */
function sendNotFound(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ProblemError && error.statusCode === 400) return sendPage(reply, 404, renderNotFoundPage());
  throw error;
}

function readArchiveQuery({ author, tag, after }: Record<string, unknown>) {
  const parameters = Object.fromEntries(
    Object.entries({ author, tag, after }).filter(([, value]) => value !== undefined),
  );
  return readListQuery(parameters);
}

function buildPath(query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? PATH : `${PATH}?${text}`;
}
