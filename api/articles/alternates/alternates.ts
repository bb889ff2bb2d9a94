/**
 * Serves a page and its Markdown alternate. The alternate has its own address (`/slug.md`), and is
 * also sent at the page's address if the `Accept` header prefers Markdown.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ContentSignal } from '../../../article/discovery/content-signal.ts';
import type { Answer, Redirect } from '../../http-cache/respond.ts';
import type { Answers } from '../../http-cache/response-cache.ts';
import { nameMarkdownKey, wantsMarkdown } from '../../http-cache/wants-markdown.ts';
import { answerGone, answerNotFound } from '../../web/page-response.ts';
import { formatLinkHeader, type Link } from './links.ts';
import { answerMissing, asTwin, describeSignal } from './markdown-alternates.ts';

export type Form = 'page' | 'markdown';

export interface Forms {
  /** Path of the page in its canonical spelling: `/slug`, `/authors/ada`. */
  path: string;
  /** Path of the Markdown alternate. Default: `path` with `.md` appended. */
  twin?: string;
  page: () => Promise<Answer | Redirect>;
  markdown: () => Promise<Answer | Redirect>;
}

/** Builds both forms with one function. */
export function makeForms<T>(make: (form: Form) => Promise<T>): Record<Form, () => Promise<T>> {
  return { page: () => make('page'), markdown: () => make('markdown') };
}

/** Adds the `Link` and `Content-Signal` headers, which both forms have. */
export function withRelations(answer: Answer, links: readonly Link[], signal: ContentSignal): Answer {
  const headers = { ...answer.headers, link: formatLinkHeader(links), ...describeSignal(signal) };
  return { ...answer, headers };
}

/** Builds the 404 or 410 response in the requested form. */
export function answerAbsent(form: Form, status: 404 | 410 = 404): Answer {
  if (form === 'markdown') return answerMissing(status);
  return status === 410 ? answerGone() : answerNotFound();
}

/** Removes `.md` from the last path segment. `encodePathName` escapes names that end in `.md`. */
export function splitForm(name: string, { url }: Pick<FastifyRequest, 'url'>): { name: string; isTwin: boolean } {
  const isTwin = name.endsWith('.md') && /^[^?#]*\.md\/?(?:[?#]|$)/.test(url);
  return { name: isTwin ? name.slice(0, -3) : name, isTwin };
}

/** `isTwin`: the request is for the address of the Markdown alternate. */
export function sendForm(
  answers: Answers,
  { request, reply, isTwin }: { request: FastifyRequest; reply: FastifyReply; isTwin: boolean },
  { path, twin = `${path}.md`, page, markdown }: Forms,
): Promise<FastifyReply> {
  if (isTwin) return answers.send(request, reply, { key: twin, make: async () => toTwin(await markdown()) });
  const isPreferred = wantsMarkdown(request.headers.accept);
  const key = isPreferred ? nameMarkdownKey(path) : path;
  const make = async () => addVary(await (isPreferred ? markdown() : page()), isPreferred ? twin : null);
  return answers.send(request, reply, { key, make });
}

function toTwin(answer: Answer | Redirect): Answer | Redirect {
  return answer.status === 301 ? { ...answer, location: `${answer.location}.md` } : asTwin(answer);
}

/** Both forms need `Vary`: a shared cache may store either one first. */
function addVary(answer: Answer | Redirect, twin: string | null): Answer | Redirect {
  if (answer.status === 301) return answer;
  const located = twin === null || answer.status !== 200 ? {} : { 'content-location': twin };
  return { ...answer, headers: { ...answer.headers, vary: 'Accept', ...located } };
}
