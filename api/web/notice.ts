/** What a page says once, about the form that was just sent: kept in a cookie over the redirect that follows every form. */
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
/** Cookies hold 4 KB, and each character may become nine of them. */
const LONGEST_TEXT = 350;
const KINDS: readonly Notice['kind'][] = ['done', 'refused', 'warning'];

/** 303: the browser asks for the page, and loading that again sends no form twice. */
export function redirectWithNotice(reply: FastifyReply, path: string, notice: Notice): FastifyReply {
  keepNotice(reply, notice);
  return reply.header('cache-control', 'no-store').redirect(path, 303);
}

/** For the next page, where a script goes there. */
export function keepNotice(reply: FastifyReply, { kind, text }: Notice): void {
  reply.setCookie(COOKIE, `${kind} ${cutAtWord(text, LONGEST_TEXT)}`, { ...OPTIONS, maxAge: 60 });
}

/** Does what a form asks for, and shows the page again with what came of it: what `act` says, or why it was refused. */
export async function answerForm(
  reply: FastifyReply,
  path: string,
  act: () => Promise<string | Notice>,
): Promise<FastifyReply> {
  try {
    const said = await act();
    return redirectWithNotice(reply, path, typeof said === 'string' ? { kind: 'done', text: said } : said);
  } catch (error) {
    if (!(error instanceof RefusedCommandError)) throw error;
    return redirectWithNotice(reply, path, { kind: 'refused', text: error.message });
  }
}

/** Shown once: whoever reads it takes it away. */
export function takeNotice(request: FastifyRequest, reply: FastifyReply): Notice | null {
  const [, word, text] = /^(\w+) (.+)$/s.exec(request.cookies[COOKIE] ?? '') ?? [];
  const kind = KINDS.find((one) => one === word);
  if (kind === undefined || text === undefined) return null;
  reply.clearCookie(COOKIE, OPTIONS);
  return { kind, text };
}

export function renderNotice(notice: Notice | null): Html | null {
  if (notice === null) return null;
  const role = notice.kind === 'done' ? 'status' : 'alert';
  return html`<div data-keep class="notice ${notice.kind}" role="${role}"><p>${notice.text}</p></div>`;
}
