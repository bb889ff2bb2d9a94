/** A message that the next page shows once, about the submitted form. Stored in a cookie. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cutAtWord } from '../../article/describe/cut-text.ts';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { type Html, html } from './html.ts';

export interface Notice {
  kind: 'done' | 'refused' | 'warning';
  text: string;
}

const COOKIE = 'courant_notice';
const OPTIONS = { path: '/', httpOnly: true, sameSite: 'lax', secure: 'auto' } as const;
/** A cookie holds 4 KB, and encoding turns one character into up to nine. */
const MAX_TEXT_CHARACTERS = 350;
const KINDS: readonly Notice['kind'][] = ['done', 'refused', 'warning'];

/** 303: the browser requests the page with GET, so a reload does not submit the form again. */
export function redirectWithNotice(reply: FastifyReply, path: string, notice: Notice): FastifyReply {
  setNotice(reply, notice);
  return reply.header('cache-control', 'no-store').redirect(path, 303);
}

/** Stores the notice for the next page, where a script opens it. */
export function setNotice(reply: FastifyReply, { kind, text }: Notice): void {
  reply.setCookie(COOKIE, `${kind} ${cutAtWord(text, MAX_TEXT_CHARACTERS)}`, { ...OPTIONS, maxAge: 60 });
}

/** Runs `run`, then redirects to `path` with its notice or the reason of its rejection. */
export async function handleForm(
  reply: FastifyReply,
  path: string,
  run: () => Promise<string | Notice>,
): Promise<FastifyReply> {
  return redirectWithNotice(reply, path, await runToNotice(run));
}

export async function runToNotice(run: () => Promise<string | Notice>): Promise<Notice> {
  try {
    const result = await run();
    return typeof result === 'string' ? { kind: 'done', text: result } : result;
  } catch (error) {
    if (!(error instanceof RefusedCommandError)) throw error;
    return { kind: 'refused', text: error.message };
  }
}

/** Reads and clears the notice. */
export function consumeNotice(request: FastifyRequest, reply: FastifyReply): Notice | null {
  const [, word, text] = /^(\w+) (.+)$/s.exec(request.cookies[COOKIE] ?? '') ?? [];
  const kind = KINDS.find((candidate) => candidate === word);
  if (kind === undefined || text === undefined) return null;
  reply.clearCookie(COOKIE, OPTIONS);
  return { kind, text };
}

export function renderNotice(notice: Notice | null): Html | null {
  if (notice === null) return null;
  const role = notice.kind === 'done' ? 'status' : 'alert';
  return html`<div data-keep class="notice ${notice.kind}" role="${role}"><p>${notice.text}</p></div>`;
}
