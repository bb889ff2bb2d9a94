/** Everything that was published, page by page: of the site, of an author (`?author=`), of a tag (`?tag=`). */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findLastChange } from '../../../store/changes/last-change.ts';
import type { Answers } from '../../http-cache/response-cache.ts';
import { readListQuery } from './list-query.ts';
import { readList } from './read-list.ts';
import { readTeaser } from './read-teaser.ts';
import type { ApiDeps } from '../../deps.ts';
import { listPageLinks } from '../alternates/links.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { answerWithPage } from '../../web/page-response.ts';
import { renderArchivePage } from './archive-page.ts';
import { renderListHead } from './list-page.ts';
import { renderNotFoundPage } from '../../web/not-found-page.ts';
import { sendPage } from '../../web/send-page.ts';

const PATH = '/archive';
const LENGTH = 50;

export async function archiveRoutes(app: FastifyInstance, deps: ApiDeps & { answers: Answers }) {
  const { db, config, now, answers } = deps;
  const { baseUrl } = config;

  const options = { schema: { hide: true }, errorHandler: answerNotFound };
  app.get<{ Querystring: Record<string, unknown> }>(PATH, options, async (request, reply) => {
    const { author, tag, after } = readArchiveQuery(request.query);
    const make = async () => {
      const query = { terms: null, q: null, author, tag, after, first: LENGTH };
      const { data, next } = await readList({ db, baseUrl, now }, query, 'person');
      const asked = { ...(author === null ? {} : { author }), ...(tag === null ? {} : { tag }) };
      return renderArchivePage({
        title: author === null ? (tag === null ? 'Archive' : `Archive of #${tag}`) : `Archive of @${author}`,
        entries: data.map(readTeaser),
        firstPath: buildPath(asked),
        olderPath: next === null ? null : buildPath({ ...asked, after: next }),
        isFirst: after === null,
        head: renderListHead(listPageLinks(PATH, baseUrl)),
      });
    };
    // There are as many further pages as articles: nobody asks for one again.
    if (after !== null || author !== null || tag !== null)
      return sendPage(reply, 200, await make(), { 'cache-control': 'no-cache' });
    const answer = async () => {
      const lastModified = await findLastChange(db);
      return answerWithPage(await make(), { lastModified, shows: ['articles'] });
    };
    return answers.send(request, reply, { key: PATH, make: answer });
  });
}

/** An author, a tag or a place that cannot be. */
function answerNotFound(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ProblemError && error.statusCode === 400) return sendPage(reply, 404, renderNotFoundPage());
  throw error;
}

function readArchiveQuery({ author, tag, after }: Record<string, unknown>) {
  const given = Object.fromEntries(Object.entries({ author, tag, after }).filter(([, value]) => value !== undefined));
  return readListQuery(given);
}

function buildPath(query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? PATH : `${PATH}?${text}`;
}
