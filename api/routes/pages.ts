/** The pages for readers, and their Markdown for agents: the front page, an author's page and the page of an article. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { buildSiteJsonLd } from '../../article/discovery/json-ld.ts';
import { formatListTwin } from '../../article/discovery/markdown-twin.ts';
import { describeSite } from '../../article/discovery/site.ts';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import { listRecentArticles } from '../../store/articles/find-for-readers.ts';
import { findLastChange } from '../../store/changes/last-change.ts';
import { findAuthor } from '../../store/users/find-user.ts';
import type { Answer, Redirect } from '../answers/answer.ts';
import type { Answers } from '../answers/answers.ts';
import type { ApiDeps } from '../deps.ts';
import { formatLinkHeader, listArticleLinks, listListLinks } from '../discovery/links.ts';
import {
  answerMissing,
  answerWithArticleTwin,
  answerWithMarkdown,
  describeSignal,
} from '../discovery/markdown-answers.ts';
import { sendForm, splitForm } from '../discovery/page-forms.ts';
import { renderArticlePage } from '../pages/article-page.ts';
import { renderListHead, renderListPage } from '../pages/list-page.ts';
import { answerGone, answerNotFound, answerWithArticlePage, answerWithPage } from '../pages/page-answer.ts';
import { findArticle } from '../reading/find-article.ts';

const LIST_LENGTH = 30;

type Form = 'page' | 'markdown';

interface Listed extends Pick<Answer, 'lastModified' | 'shows'> {
  entries: Awaited<ReturnType<typeof listRecentArticles>>;
}

export async function pageRoutes(fastify: FastifyInstance, deps: ApiDeps & { answers: Answers }) {
  const { db, config, answers } = deps;
  const { baseUrl } = config;
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  for (const [path, isTwin] of [
    ['/', false],
    ['/index.md', true],
  ] as const) {
    app.get(path, { schema: { hide: true } }, (request, reply) =>
      sendForm(answers, { request, reply, isTwin }, { path: '/', ...makeForms(makeFrontPage) }),
    );
  }

  app.get(
    '/authors/:username',
    { schema: { hide: true, params: Type.Object({ username: Type.String() }) } },
    (request, reply) => {
      const { name, isTwin } = splitForm(request.params.username);
      const path = `/authors/${encodeURIComponent(name)}`;
      const forms = makeForms((form) => makeAuthorPage(name, path, form));
      return sendForm(answers, { request, reply, isTwin }, { path, ...forms });
    },
  );

  app.get('/:slug', { schema: { hide: true, params: Type.Object({ slug: Type.String() }) } }, (request, reply) => {
    const { name, isTwin } = splitForm(request.params.slug);
    const forms = makeForms((form) => makeArticlePage(name, form));
    return sendForm(answers, { request, reply, isTwin }, { path: `/${encodeURIComponent(name)}`, ...forms });
  });

  async function makeFrontPage(form: Form): Promise<Answer> {
    const lastModified = await findLastChange(db);
    const entries = await listRecentArticles(db, LIST_LENGTH);
    const markup = buildSiteJsonLd(describeSite(baseUrl));
    return answerWithList({ heading: 'Latest', path: '/', markup }, form, {
      entries,
      lastModified,
      shows: ['articles'],
    });
  }

  async function makeAuthorPage(username: string, path: string, form: Form): Promise<Answer> {
    const author = await findAuthor(db, username);
    if (!author) return form === 'page' ? answerNotFound() : answerMissing(404);
    const lastModified = await findLastChange(db, author.id);
    const entries = await listRecentArticles(db, LIST_LENGTH, author.id);
    return answerWithList({ heading: author.name, path }, form, {
      entries,
      lastModified,
      shows: [`author:${author.id}`],
    });
  }

  function answerWithList(
    { heading, path, markup }: { heading: string; path: string; markup?: Parameters<typeof renderListHead>[1] },
    form: Form,
    { entries, ...shown }: Listed,
  ): Answer {
    const links = listListLinks(path, baseUrl);
    const answer =
      form === 'page'
        ? answerWithPage(renderListPage(heading, entries, renderListHead(links, markup)), shown)
        : answerWithMarkdown(
            formatListTwin({ title: heading, address: `${baseUrl}${path}` }, { baseUrl, entries }),
            links,
            shown,
          );
    const headers = { ...answer.headers, link: formatLinkHeader(links), ...describeSignal(config.contentSignal) };
    return { ...answer, headers };
  }

  async function makeArticlePage(slug: string, form: Form): Promise<Answer | Redirect> {
    const found = await findArticle(deps, slug, { whenUnderived: 'show' });
    switch (found.kind) {
      case 'article': {
        if (form === 'markdown') return (await answerWithArticleTwin(deps, found)) ?? answerMissing(410);
        const { article, articleId, generateToc, lastModified } = found;
        const body = renderArticlePage(article, { baseUrl, generateToc });
        const answer = answerWithArticlePage(body, { lastModified, shows: [`article:${articleId}`] });
        const link = formatLinkHeader(listArticleLinks(article, baseUrl));
        return { ...answer, headers: { ...answer.headers, link, ...describeSignal(article.contentSignal) } };
      }
      case 'moved':
        return {
          status: 301,
          location: buildArticleUrl(baseUrl, found.slug),
          shows: [`article:${found.articleId}`],
        };
      case 'withdrawn':
        return form === 'page' ? answerGone() : answerMissing(410);
      case 'nothing':
        return form === 'page' ? answerNotFound() : answerMissing(404);
    }
  }
}

function makeForms<T>(make: (form: Form) => Promise<T>): Record<Form, () => Promise<T>> {
  return { page: () => make('page'), markdown: () => make('markdown') };
}
