/**
 * Sends settings pages, and handles their forms with a redirect or the same page with its problems.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import type { FieldProblem } from '../fields.ts';
import type { Html } from '../html.ts';
import { redirectWithNotice } from '../notice.ts';
import { sendDeskPage } from './send-desk-page.ts';
import { renderSettings, type SettingsSubject, SUBJECTS } from './settings-page.ts';

export interface SettingsPage {
  /** Null for the overview. */
  subject: SettingsSubject | null;
  /** Title of a page below the page of its subject. */
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

/** The text of the notice on the next page, or the problems of the fields. */
export type FormOutcome = string | { problems: FieldProblem[] };

/**
 * On success redirects to `path`. A rejected form is rendered again with the submitted values,
 * which are not stored in a cookie; the page leaves secrets out.
 */
export async function handleSettingsForm(
  reply: FastifyReply,
  path: string,
  run: () => Promise<FormOutcome>,
  showAgain: (problems: FieldProblem[], status: number) => FastifyReply | Promise<FastifyReply>,
  describe: (error: RefusedCommandError) => FieldProblem = toFieldProblem,
): Promise<FastifyReply> {
  try {
    const outcome = await run();
    if (typeof outcome !== 'string') return showAgain(outcome.problems, 422);
    return redirectWithNotice(reply, path, { kind: 'done', text: outcome });
  } catch (error) {
    if (!(error instanceof RefusedCommandError)) throw error;
    return showAgain([describe(error)], chooseStatus(error));
  }
}

export function toFieldProblem({ field, message }: RefusedCommandError): FieldProblem {
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
