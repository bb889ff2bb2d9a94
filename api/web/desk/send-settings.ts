/** Sends a page of the settings, and answers its forms: with the page that comes next, or with the same page, which says what was wrong. */
import type { FieldProblem } from '../fields.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { renderSettings, SUBJECTS, type Subject } from './settings-page.ts';
import type { Html } from '../html.ts';
import { redirectWithNotice } from '../notice.ts';
import { sendDeskPage } from './send-desk-page.ts';

export interface SettingsPage {
  /** Null for the overview. */
  subject: Subject | null;
  /** Of a page below that of its subject. */
  title?: string;
  status?: number;
}

export function sendSettings(
  request: FastifyRequest,
  reply: FastifyReply,
  { subject, title, status = 200 }: SettingsPage,
  body: Html,
): FastifyReply {
  const heading = title ?? (subject === null ? 'Settings' : SUBJECTS[subject]);
  const page = { title: heading, current: 'settings' as const, status };
  return sendDeskPage(request, reply, page, renderSettings(subject, body, { isBelow: title !== undefined }));
}

/** What came of a form: what is said on the page that follows, or what was wrong with its fields. */
export type FormOutcome = string | { problems: FieldProblem[] };

/**
 * A form that did what it was for leads to the page at `path`. One that was refused is answered with its page, so that what was typed is kept where it
 * was typed, and in no cookie: secrets are left out by the page.
 */
export async function answerSettingsForm(
  reply: FastifyReply,
  path: string,
  act: () => Promise<FormOutcome>,
  showAgain: (problems: FieldProblem[], status: number) => FastifyReply | Promise<FastifyReply>,
  describe: (error: RefusedCommandError) => FieldProblem = describeRefusal,
): Promise<FastifyReply> {
  try {
    const said = await act();
    if (typeof said !== 'string') return showAgain(said.problems, 422);
    return redirectWithNotice(reply, path, { kind: 'done', text: said });
  } catch (error) {
    if (!(error instanceof RefusedCommandError)) throw error;
    return showAgain([describe(error)], chooseStatus(error));
  }
}

export function describeRefusal({ field, message }: RefusedCommandError): FieldProblem {
  return { path: field ?? '', message };
}

export function chooseStatus({ code }: RefusedCommandError): number {
  return STATUSES[code] ?? 422;
}

const STATUSES: Record<string, number> = {
  RATE_LIMITED: 429,
  EMAIL_NOT_CONFIRMED: 403,
  ALREADY_MADE: 409,
  CONNECTION_CHANGED: 409,
  UNAUTHENTICATED: 401,
};
