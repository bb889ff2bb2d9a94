/** Serves the weekly roundups (`/roundup`, `/roundup/2026-W47`) and their Markdown alternates. */
import type { FastifyInstance } from 'fastify';
import {
  formatRoundupAlternate,
  formatRoundupListAlternate,
  nameRoundup,
  ROUNDUPS,
} from '../../../article/discovery/roundup-alternate.ts';
import { findLastChange } from '../../../store/changes/list-changes.ts';
import { findRoundup, listRoundups, type RoundupEntry } from '../../../store/roundups/read-roundups.ts';
import type { PublicDeps } from '../../deps.ts';
import { html } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import { buildAbsentResponse, buildFormResponse, servePage, servePages } from '../alternates/alternates.ts';
import { type Link, listPageLinks, renderLinks } from '../alternates/links.ts';

/** Two years of weeks. */
const LIST_LENGTH = 104;

export async function roundupRoutes(app: FastifyInstance, { db, responder, config }: PublicDeps) {
  const { baseUrl, contentSignal: signal } = config;

  servePage(app, responder, { path: '/roundup', markdownPath: '/roundup.md' }, async (form) => {
    const roundups = await listRoundups(db, LIST_LENGTH);
    const weeks = roundups.map(({ week }) => week);
    const links = listPageLinks('/roundup', baseUrl);
    const body = form === 'page' ? renderRoundupListPage(weeks, links) : formatRoundupListAlternate(weeks, baseUrl);
    return buildFormResponse(form, {
      ...{ body, links, signal },
      lastModified: roundups[0]?.at ?? null,
      cacheTags: ['roundups'],
    });
  });

  servePages(app, responder, '/roundup', async (week, form) => {
    const lastModified = await findLastChange(db);
    const entries = await findRoundup(db, week);
    if (!entries) return buildAbsentResponse(form);
    const links = listPageLinks(`/roundup/${week}`, baseUrl);
    const body =
      form === 'page' ? renderRoundupPage(week, entries, links) : formatRoundupAlternate(week, entries, baseUrl);
    return buildFormResponse(form, { body, links, signal, lastModified, cacheTags: ['roundups', 'articles'] });
  });
}

function renderRoundupPage(week: string, entries: readonly RoundupEntry[], links: readonly Link[]): string {
  const items = entries.map(
    ({
      slug,
      title,
      excerpt,
      authorName,
      authorUsername,
    }) => html`<li><a href="/${encodeURIComponent(slug)}" dir="auto">${title}</a>
<p dir="auto">${excerpt}</p>
<p class="byline"><a href="/authors/${authorUsername}" rel="author" dir="auto">${authorName}</a></p></li>`,
  );
  const list =
    items.length > 0 ? html`<ol class="list">${items}</ol>` : html`<p>All its articles have been unpublished.</p>`;
  return renderPage(
    {
      title: `${nameRoundup(week)} · Courant`,
      description: 'The most read and most discussed articles.',
      head: renderLinks(links),
      current: 'roundup',
    },
    html`<h1>${nameRoundup(week)}</h1>${list}<p><a href="/roundup">All roundups</a></p>`,
  );
}

function renderRoundupListPage(weeks: readonly string[], links: readonly Link[]): string {
  const items = weeks.map((week) => html`<li><a href="/roundup/${week}">${nameRoundup(week)}</a></li>`);
  const list = items.length > 0 ? html`<ul class="list">${items}</ul>` : html`<p>No roundups yet.</p>`;
  return renderPage(
    {
      title: `${ROUNDUPS.title} · Courant`,
      description: ROUNDUPS.description,
      head: renderLinks(links),
      current: 'roundup',
    },
    html`<h1>${ROUNDUPS.title}</h1><p class="subtitle">${ROUNDUPS.description}</p>${list}`,
  );
}
