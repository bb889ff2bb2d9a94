/**
 * Serves a page and its Markdown alternate. The alternate has its own address (`/slug.md`), and is
 * also sent at the page's address if the `Accept` header prefers Markdown.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ContentSignal } from '../../../article/discovery/content-signal.ts';
import { buildMarkdownCacheKey, prefersMarkdown } from '../../http-cache/prefers-markdown.ts';
import type { PublicResponder } from '../../http-cache/public-responder.ts';
import type { PermanentRedirect, PublicResponse } from '../../http-cache/public-response.ts';
import { buildGoneResponse, buildNotFoundResponse } from '../../web/page-response.ts';
import { formatLinkHeader, type Link } from './links.ts';
import { addNoIndexHeader, buildContentSignalHeader, buildMissingMarkdownResponse } from './markdown-alternates.ts';

export type Representation = 'page' | 'markdown';

export interface PageForms {
  /** Path of the page in its canonical spelling: `/slug`, `/authors/ada`. */
  path: string;
  /** Path of the Markdown alternate. Default: `path` with `.md` appended. */
  markdownPath?: string;
  page: () => Promise<PublicResponse | PermanentRedirect>;
  markdown: () => Promise<PublicResponse | PermanentRedirect>;
}

/** Builds both representations with one function. */
export function createRepresentations<T>(
  make: (representation: Representation) => Promise<T>,
): Record<Representation, () => Promise<T>> {
  return { page: () => make('page'), markdown: () => make('markdown') };
}

/** Adds the `Link` and `Content-Signal` headers, which both representations have. */
export function addRelationHeaders(
  response: PublicResponse,
  links: readonly Link[],
  signal: ContentSignal,
): PublicResponse {
  const headers = { ...response.headers, link: formatLinkHeader(links), ...buildContentSignalHeader(signal) };
  return { ...response, headers };
}

/** Builds the 404 or 410 response in the requested representation. */
export function buildAbsentResponse(representation: Representation, status: 404 | 410 = 404): PublicResponse {
  if (representation === 'markdown') return buildMissingMarkdownResponse(status);
  return status === 410 ? buildGoneResponse() : buildNotFoundResponse();
}

/** Removes `.md` from the last path segment. `encodePathName` escapes names that end in `.md`. */
export function parseFormName(
  name: string,
  { url }: Pick<FastifyRequest, 'url'>,
): { name: string; isMarkdown: boolean } {
  const isMarkdown = name.endsWith('.md') && /^[^?#]*\.md\/?(?:[?#]|$)/.test(url);
  return { name: isMarkdown ? name.slice(0, -3) : name, isMarkdown };
}

/** `isMarkdown`: the request is for the address of the Markdown alternate. */
export function sendPageForm(
  responder: PublicResponder,
  { request, reply, isMarkdown }: { request: FastifyRequest; reply: FastifyReply; isMarkdown: boolean },
  { path, markdownPath = `${path}.md`, page, markdown }: PageForms,
): Promise<FastifyReply> {
  if (isMarkdown)
    return responder.send(request, reply, { key: markdownPath, make: async () => toMarkdown(await markdown()) });
  const isPreferred = prefersMarkdown(request.headers.accept);
  const key = isPreferred ? buildMarkdownCacheKey(path) : path;
  const make = async () => addVary(await (isPreferred ? markdown() : page()), isPreferred ? markdownPath : null);
  return responder.send(request, reply, { key, make });
}

function toMarkdown(response: PublicResponse | PermanentRedirect): PublicResponse | PermanentRedirect {
  return response.status === 301 ? { ...response, location: `${response.location}.md` } : addNoIndexHeader(response);
}

/** Both representations need `Vary`: a shared cache may store either one first. */
function addVary(
  response: PublicResponse | PermanentRedirect,
  markdownPath: string | null,
): PublicResponse | PermanentRedirect {
  if (response.status === 301) return response;
  const contentLocation = markdownPath === null || response.status !== 200 ? {} : { 'content-location': markdownPath };
  return { ...response, headers: { ...response.headers, vary: 'Accept', ...contentLocation } };
}
