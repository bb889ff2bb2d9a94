/**
 * One address, two forms: a page for people and its Markdown for agents. The Markdown has an address of its own (`/slug.md`), and is sent at
 * the page's to whoever prefers it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ContentSignal } from '../../../article/discovery/content-signal.ts';
import type { Answer, Redirect } from '../../http-cache/respond.ts';
import type { Answers } from '../../http-cache/response-cache.ts';
import { answerGone, answerNotFound } from '../../web/page-response.ts';
import { formatLinkHeader, type Link } from './links.ts';
import { answerMissing, asTwin, describeSignal } from './markdown-alternates.ts';
import { nameMarkdownKey, wantsMarkdown } from '../../http-cache/wants-markdown.ts';

export type Form = 'page' | 'markdown';

export interface Forms {
  /** The path of the page, in its one spelling: `/slug`, `/authors/ada`. */
  path: string;
  /** Of the Markdown, where it is not the page's with `.md` behind it. */
  twin?: string;
  page: () => Promise<Answer | Redirect>;
  markdown: () => Promise<Answer | Redirect>;
}

/** Both forms, by one function. */
export function makeForms<T>(make: (form: Form) => Promise<T>): Record<Form, () => Promise<T>> {
  return { page: () => make('page'), markdown: () => make('markdown') };
}

/** Either form, with where else the same is and what agents may do with it. */
export function withRelations(answer: Answer, links: readonly Link[], signal: ContentSignal): Answer {
  const headers = { ...answer.headers, link: formatLinkHeader(links), ...describeSignal(signal) };
  return { ...answer, headers };
}

/** What is not here, or not any more, in the form that was asked for. */
export function answerAbsent(form: Form, status: 404 | 410 = 404): Answer {
  if (form === 'markdown') return answerMissing(status);
  return status === 410 ? answerGone() : answerNotFound();
}

/** What the last part of a path names, without the ending of its Markdown. A name that has that ending itself writes it otherwise: `encodePathName`. */
export function splitForm(name: string, { url }: Pick<FastifyRequest, 'url'>): { name: string; isTwin: boolean } {
  const isTwin = name.endsWith('.md') && /^[^?#]*\.md\/?(?:[?#]|$)/.test(url);
  return { name: isTwin ? name.slice(0, -3) : name, isTwin };
}

/** `isTwin` where the Markdown was asked for by its own address. */
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

/** A cache between must know that there are two, whichever it has seen first. */
function addVary(answer: Answer | Redirect, twin: string | null): Answer | Redirect {
  if (answer.status === 301) return answer;
  const located = twin === null || answer.status !== 200 ? {} : { 'content-location': twin };
  return { ...answer, headers: { ...answer.headers, vary: 'Accept', ...located } };
}
