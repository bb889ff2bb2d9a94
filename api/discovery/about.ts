/**
 * Serves `/about`, which introduces the site to readers, authors and agents, and its Markdown
 * alternate.
 */
import type { FastifyInstance } from 'fastify';
import { formatPageAlternate } from '../../article/discovery/markdown-alternate.ts';
import { describeSite } from '../../article/discovery/site.ts';
import { namePlatforms } from '../../destinations/registry.ts';
import { buildFormResponse, servePage } from '../articles/alternates/alternates.ts';
import { type Link, listPageLinks, renderLinks } from '../articles/alternates/links.ts';
import type { PublicDeps } from '../deps.ts';
import { type Html, html } from '../web/html.ts';
import { renderPage } from '../web/layout.ts';

const PATH = '/about';
const TITLE = 'About this site';

export async function aboutRoutes(app: FastifyInstance, { responder, config, now }: PublicDeps) {
  const { baseUrl, contentSignal: signal } = config;
  servePage(app, responder, { path: PATH, markdownPath: `${PATH}.md` }, async (form) => {
    const links = listPageLinks(PATH, baseUrl);
    const body = form === 'page' ? renderAboutPage(links, baseUrl) : formatAboutAlternate(baseUrl);
    // Only a release changes the page, so it is dated by its rendering.
    return buildFormResponse(form, { body, links, signal, lastModified: now(), cacheTags: [] });
  });
}

/** Each link is written as `[text](/path)`, in both representations. */
const SECTIONS = [
  [
    'Read',
    'Start with the [latest articles](/), the [archive](/archive) or the [search](/search). Follow the site as [RSS](/feed.xml), [Atom](/atom.xml) or [JSON Feed](/feed.json). On the page of an author you can follow them and subscribe to their newsletter.',
  ],
  [
    'Write',
    `[Create an account](/register), connect your destinations, and publish at the [desk](/desk) or with the command line. This site shows your article, delivers it to ${namePlatforms('conjunction')} as you choose, and reports the result of each delivery.`,
  ],
  [
    'Query',
    'Programs and agents start at [llms.txt](/llms.txt) and the [API catalog](/.well-known/api-catalog). Articles and the pages of authors, tags and series are also Markdown: add .md to the address.',
  ],
  ['Software', 'This site runs Courant, a publishing hub for authors who write in Markdown.'],
] as const;

function renderAboutPage(links: readonly Link[], baseUrl: string): string {
  const { description } = describeSite(baseUrl);
  return renderPage(
    { title: `${TITLE} · Courant`, description, head: renderLinks(links) },
    html`<h1>${TITLE}</h1><p class="lede">${description}</p>
<div class="prose">${SECTIONS.map(([title, text]) => html`<h2>${title}</h2><p>${renderText(text)}</p>\n`)}</div>`,
  );
}

function renderText(text: string): Html[] {
  return text.split(LINK).map((part) => {
    const [, name, path] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    return name === undefined ? html`${part}` : html`<a href="${path}">${name}</a>`;
  });
}

/** In a group, so that `split` returns the links too. */
const LINK = /(\[[^\]]+\]\([^)]+\))/;

function formatAboutAlternate(baseUrl: string): string {
  const sections = SECTIONS.map(([title, text]) => `## ${title}\n\n${text.replaceAll('](/', () => `](${baseUrl}/`)}`);
  const body = [describeSite(baseUrl).description, ...sections].join('\n\n');
  return formatPageAlternate({ title: TITLE, address: `${baseUrl}${PATH}` }, { baseUrl, body });
}
