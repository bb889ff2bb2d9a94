/** The pages of a tag and of a series. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ListedArticle, listArticles, listParts } from '../../store/lists/list-articles.ts';
import type { Answer, Redirect } from '../answers/answer.ts';
import type { Answers } from '../answers/answers.ts';
import type { ApiDeps } from '../deps.ts';
import { findSeriesList, findTagList, type ReaderList } from '../discovery/reader-lists.ts';
import { findLatestChange } from '../pages/latest-change.ts';
import { renderListPage } from '../pages/list-page.ts';
import { answerNotFound, answerWithPage } from '../pages/page-answer.ts';

/** The newest of a tag. */
const LIST_LENGTH = 30;
/** Of a series, which is read from its beginning. */
const MAX_PARTS = 200;

interface ListRoute {
  folder: string;
  findList: (name: string) => Promise<ReaderList | undefined> | ReaderList | undefined;
  listEntries: (list: ReaderList) => Promise<ListedArticle[]>;
}

export async function listRoutes(
  fastify: FastifyInstance,
  deps: Pick<ApiDeps, 'db' | 'config'> & { answers: Answers },
) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  const { db, answers } = deps;
  const { baseUrl } = deps.config;
  const lists = { db, baseUrl };

  serve({
    folder: '/tags',
    findList: (tag) => findTagList(lists, tag),
    listEntries: ({ list }) => listArticles(db, list, LIST_LENGTH),
  });
  serve({
    folder: '/series',
    findList: (id) => findSeriesList(lists, id),
    listEntries: ({ list }) => listParts(db, list, MAX_PARTS),
  });

  function serve(route: ListRoute): void {
    const { folder } = route;
    app.get(
      `${folder}/:name`,
      { schema: { hide: true, params: Type.Object({ name: Type.String() }) } },
      (request, reply) => {
        const { name } = request.params;
        const asked = `${folder}/${encodeURIComponent(name)}`;
        return answers.send(request, reply, { key: asked, make: () => makePage(route, { name, asked }) });
      },
    );
  }

  async function makePage(
    route: ListRoute,
    { name, asked }: { name: string; asked: string },
  ): Promise<Answer | Redirect> {
    const list = await route.findList(name);
    if (!list) return answerNotFound();
    if (list.path !== asked) return { status: 301, location: `${baseUrl}${list.path}`, shows: list.shows };
    const entries = await route.listEntries(list);
    if (entries.length === 0) return answerNotFound();
    const body = renderListPage(list.title, entries, `${baseUrl}${list.path}`);
    return answerWithPage(body, { lastModified: findLatestChange(entries), shows: list.shows });
  }
}
