/**
 * Serves a page and its Markdown alternate. The alternate has its own address (`/slug.md`), and is
 * also sent at the page's address if the `Accept` header prefers Markdown.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ContentSignal, formatContentSignal } from '../../../article/discovery/content-signal.ts';
import { encodePathName } from '../../../article/discovery/paths.ts';
import { buildMarkdownCacheKey, prefersMarkdown } from '../../http-cache/prefers-markdown.ts';
import type { PublicResponder } from '../../http-cache/public-responder.ts';
import {
  FOR_ANY_ORIGIN,
  MARKDOWN_TYPE,
  NOT_INDEXED,
  type PermanentRedirect,
  type PublicResponse,
} from '../../http-cache/public-response.ts';
import { renderNotFoundPage, renderWithdrawnPage } from '../../web/not-found-page.ts';
import { PAGE_HEADERS, PAGE_TYPE } from '../../web/send-page.ts';
import { formatLinkHeader, type Link } from './links.ts';

export type Representation = 'page' | 'markdown';
type Response = PublicResponse | PermanentRedirect;

type Build = (representation: Representation) => Promise<Response>;

/** Serves a page at a fixed path, and its alternate. */
export function servePage(
  app: FastifyInstance,
  responder: PublicResponder,
  { path, markdownPath }: { path: string; markdownPath: string },
  build: Build,
): void {
  for (const isMarkdown of [false, true])
    app.get(isMarkdown ? markdownPath : path, (request, reply) =>
      sendForm(responder, request, reply, { path, markdownPath, isMarkdown, build }),
    );
}

/** Serves the pages below a folder, such as `/tags/<name>`, and their alternates. */
export function servePages(
  app: FastifyInstance,
  responder: PublicResponder,
  folder: string,
  build: (name: string, representation: Representation, path: string) => Promise<Response>,
): void {
  app.get<{ Params: { name: string } }>(`${folder}/:name`, (request, reply) => {
    const { name, isMarkdown } = parseFormName(request.params.name, request);
    const path = `${folder}/${encodePathName(name)}`;
    const form = { path, markdownPath: `${path}.md`, isMarkdown };
    return sendForm(responder, request, reply, { ...form, build: (chosen) => build(name, chosen, path) });
  });
}

/** Removes `.md` from the last path segment. `encodePathName` escapes names that end in `.md`. */
function parseFormName(name: string, { url }: Pick<FastifyRequest, 'url'>): { name: string; isMarkdown: boolean } {
  const isMarkdown = name.endsWith('.md') && /^[^?#]*\.md\/?(?:[?#]|$)/.test(url);
  return { name: isMarkdown ? name.slice(0, -3) : name, isMarkdown };
}

/**
 * Sends the alternate at its own address, which search engines do not index: its `Link` header names
 * the page. At the page's address sends the form that `Accept` prefers. Both forms need `Vary`: a
 * shared cache may store either first.
 */
function sendForm(
  responder: PublicResponder,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, markdownPath, isMarkdown, build }: { path: string; markdownPath: string; isMarkdown: boolean; build: Build },
): Promise<FastifyReply> {
  const isPreferred = !isMarkdown && prefersMarkdown(request.headers.accept);
  return responder.send(request, reply, {
    key: isMarkdown ? markdownPath : isPreferred ? buildMarkdownCacheKey(path) : path,
    async make() {
      const response = await build(isMarkdown || isPreferred ? 'markdown' : 'page');
      if (response.status === 301) return isMarkdown ? { ...response, location: `${response.location}.md` } : response;
      if (isMarkdown) return addHeaders(response, NOT_INDEXED);
      const location = isPreferred && response.status === 200 ? { 'content-location': markdownPath } : {};
      return addHeaders(response, { vary: 'Accept', ...location });
    },
  });
}

function addHeaders(response: PublicResponse, headers: Record<string, string>): PublicResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}

/** Builds the response of a page or its alternate, with the headers that both have. */
export function buildFormResponse(
  representation: Representation,
  { links, signal, ...shown }: Pick<PublicResponse, 'body' | 'lastModified' | 'cacheTags'> & FormRelations,
): PublicResponse {
  const [type, headers] = representation === 'page' ? [PAGE_TYPE, PAGE_HEADERS] : [MARKDOWN_TYPE, FOR_ANY_ORIGIN];
  const relations = { link: formatLinkHeader(links), ...buildContentSignalHeader(signal) };
  return { status: 200, type, headers: { ...headers, ...relations }, ...shown };
}

interface FormRelations {
  links: readonly Link[];
  signal: ContentSignal;
}

/** Builds the 404 or 410 response in the requested representation. */
export function buildAbsentResponse(representation: Representation, status: 404 | 410 = 404): PublicResponse {
  const common = { status, lastModified: null, cacheTags: [] };
  if (representation === 'page') {
    const body = status === 410 ? renderWithdrawnPage() : renderNotFoundPage();
    return { ...common, type: PAGE_TYPE, headers: PAGE_HEADERS, body };
  }
  const body =
    status === 410
      ? '# Withdrawn\n\nThis article is no longer published.\n'
      : '# Not found\n\nThere is no article at this address.\n';
  return { ...common, type: MARKDOWN_TYPE, body };
}

export function buildContentSignalHeader(signal: ContentSignal): Record<string, string> {
  const value = formatContentSignal(signal);
  return value === '' ? {} : { 'content-signal': value };
}
