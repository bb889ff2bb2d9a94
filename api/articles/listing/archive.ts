/**
 * Serves the paged archive of the site, of an author (`?author=`) or of a tag (`?tag=`): one line
 * per article, grouped by month of publication.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findLastChange } from '../../../store/changes/list-changes.ts';
import type { PublicDeps } from '../../deps.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { type Html, html } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import { renderNotFoundPage } from '../../web/not-found-page.ts';
import { sendPage } from '../../web/send-page.ts';
import { buildFormResponse } from '../alternates/alternates.ts';
import { type Link, listSiteLinks, renderLinks } from '../alternates/links.ts';
import { type ListQuery, readListQuery } from './list-query.ts';
import { type ListPage, readList } from './read-list.ts';
import type { Teaser } from './teaser.ts';

const PATH = '/archive';
const PAGE_LENGTH = 50;
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

export async function archiveRoutes(app: FastifyInstance, { db, config, now, responder }: PublicDeps) {
  const links: Link[] = [{ rel: 'canonical', href: `${config.baseUrl}${PATH}` }, ...listSiteLinks(config.baseUrl)];

  app.get<{ Querystring: Record<string, unknown> }>(PATH, { errorHandler: sendNotFound }, async (request, reply) => {
    const { author, tag, after } = request.query;
    const query = { ...readListQuery(omitEmpty({ author, tag, after })), first: PAGE_LENGTH };
    const render = async () => renderArchivePage(query, await readList({ db, now }, query, 'person'), links);
    // Other pages are numerous and rarely requested twice, so they are not cached.
    if (query.after !== null || query.author !== null || query.tag !== null)
      return sendPage(reply, 200, await render(), { 'cache-control': 'no-cache' });
    const make = async () => {
      const lastModified = await findLastChange(db);
      return buildFormResponse('page', {
        body: await render(),
        links,
        signal: config.contentSignal,
        lastModified,
        cacheTags: ['articles'],
      });
    };
    return responder.send(request, reply, { key: PATH, make });
  });
}

/** An invalid author, tag or cursor gives the 404 page. */
function sendNotFound(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ProblemError && error.statusCode === 400) return sendPage(reply, 404, renderNotFoundPage());
  throw error;
}

function renderArchivePage(
  { author, tag, after }: ListQuery,
  { cards, next }: ListPage,
  links: readonly Link[],
): string {
  const title = author !== null ? `Archive of @${author}` : tag !== null ? `Archive of #${tag}` : 'Archive';
  const months = Map.groupBy(cards, ({ publishedAt }) => MONTH.format(publishedAt));
  const sections = [...months].map(
    ([month, articles]) =>
      html`<section><h2 class="rule">${month}</h2><ul class="lines">${articles.map(renderLine)}</ul></section>`,
  );
  const olderPath = next && buildPath({ author, tag, after: next });
  const older = olderPath && html`<a class="button" href="${olderPath}" rel="next">Older</a>`;
  const newest = after && html`<a class="button" href="${buildPath({ author, tag })}">Newest</a>`;
  return renderPage(
    { title: `${title} · Courant`, head: renderLinks(links), current: 'archive' },
    html`<h1 dir="auto">${title}</h1>
${cards.length > 0 ? sections : html`<p class="lede">${after ? 'No older articles.' : 'Nothing is published yet.'}</p>`}
${older || newest ? html`<nav class="actions" aria-label="Pages">${newest}${older}</nav>` : null}`,
  );
}

function renderLine({ slug, title, authorName, publishedAt }: Teaser): Html {
  return html`<li><time datetime="${publishedAt.toISOString()}">${DAY.format(publishedAt)}</time> <span><a href="/${encodeURIComponent(slug)}" dir="auto">${title}</a> <span class="soft" dir="auto">${authorName}</span></span></li>`;
}

function buildPath(query: Record<string, string | null>): string {
  const text = new URLSearchParams(omitEmpty(query) as Record<string, string>).toString();
  return text === '' ? PATH : `${PATH}?${text}`;
}

function omitEmpty(query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== null));
}
