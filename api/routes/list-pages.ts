/** The pages that list articles, and their Markdown for agents: the front page, an author's, a tag's and a series'. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { buildSiteJsonLd } from '../../article/discovery/json-ld.ts';
import { formatListTwin } from '../../article/discovery/markdown-twin.ts';
import { encodePathName } from '../../article/discovery/paths.ts';
import { describeSite } from '../../article/discovery/site.ts';
import { findLastChange } from '../../store/changes/last-change.ts';
import { type ListedArticle, listArticles, listParts } from '../../store/lists/list-articles.ts';
import type { Answer, Redirect } from '../answers/answer.ts';
import type { Answers } from '../answers/answers.ts';
import type { ApiDeps } from '../deps.ts';
import { type Link, listListLinks } from '../discovery/links.ts';
import { answerWithMarkdown } from '../discovery/markdown-answers.ts';
import { answerAbsent, type Form, makeForms, sendForm, splitForm, withRelations } from '../discovery/page-forms.ts';
import {
  buildSiteList,
  findAuthorList,
  findSeriesList,
  findTagList,
  type ReaderList,
} from '../discovery/reader-lists.ts';
import { renderListHead, renderListPage } from '../pages/list-page.ts';
import { answerWithPage } from '../pages/page-answer.ts';

/** The newest. */
const LIST_LENGTH = 30;
/** Of a series, which is read from its beginning. */
const MAX_PARTS = 200;

export async function listPageRoutes(
  fastify: FastifyInstance,
  deps: Pick<ApiDeps, 'db' | 'config'> & { answers: Answers },
) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  const { db, answers, config } = deps;
  const { baseUrl } = config;
  const lists = { db, baseUrl };

  for (const [path, isTwin] of [
    ['/', false],
    ['/index.md', true],
  ] as const) {
    app.get(path, { schema: { hide: true } }, (request, reply) => {
      const forms = makeForms((form) => makeList(buildSiteList(lists), form));
      return sendForm(answers, { request, reply, isTwin }, { path: '/', twin: '/index.md', ...forms });
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
      const { name, isTwin } = splitForm(request.params.name, request);
      const path = `${folder}/${encodePathName(name)}`;
      const forms = makeForms(async (form): Promise<Answer | Redirect> => {
        const list = await findList(name);
        if (!list) return answerAbsent(form);
        if (list.path === path) return makeList(list, form);
        return { status: 301, location: `${baseUrl}${list.path}`, shows: list.shows };
      });
      return sendForm(answers, { request, reply, isTwin }, { path, ...forms });
    });
  }

  async function makeList(list: ReaderList, form: Form): Promise<Answer> {
    // Read first: what changes meanwhile is newer than it says, and never older.
    const lastModified = await findLastChange(db, list.changesOf);
    const entries = await listEntries(list);
    if (entries.length === 0 && !list.mayBeEmpty) return answerAbsent(form);
    const links = listListLinks(list, baseUrl);
    const shown = { lastModified, shows: list.shows };
    const answer =
      form === 'page'
        ? answerWithPage(renderPageOf(list, entries, links), shown)
        : answerWithMarkdown(
            formatListTwin(
              { title: list.title, description: list.description, address: `${baseUrl}${list.path}` },
              { baseUrl, entries },
            ),
            links,
            shown,
          );
    return withRelations(answer, links, config.contentSignal);
  }

  function listEntries({ list }: ReaderList): Promise<ListedArticle[]> {
    return list.kind === 'series' ? listParts(db, list, MAX_PARTS) : listArticles(db, list, LIST_LENGTH);
  }

  function renderPageOf(list: ReaderList, entries: readonly ListedArticle[], links: readonly Link[]): string {
    const isSite = list.list.kind === 'site';
    const markup = isSite ? buildSiteJsonLd(describeSite(baseUrl)) : undefined;
    return renderListPage(list, entries, renderListHead(links, markup));
  }
}
