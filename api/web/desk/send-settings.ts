/** Serves settings pages and their forms. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import type { FieldProblem } from '../fields.ts';
import type { Html } from '../html.ts';
import { type FormOutcome, handlePageForm } from '../page-form.ts';
import { sendDeskPage } from './send-desk-page.ts';
import { buildSettingsPath, renderSettings, type SettingsSubject, SUBJECTS } from './settings-page.ts';

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

/** A settings page with at most one form. */
interface SettingsForm {
  /** With `problems` of a rejected form, renders its submitted values. */
  render(request: FastifyRequest, problems: readonly FieldProblem[]): Html | Promise<Html>;
  submit?(request: FastifyRequest, reply: FastifyReply): Promise<FormOutcome>;
  /** Where an accepted form redirects to; by default this page. */
  next?: string;
}

/** Serves the page of a subject. Accounts without a confirmed address may send its form. */
export function addSettingsPage(
  app: FastifyInstance,
  subject: SettingsSubject,
  { render, submit, next = buildSettingsPath(subject) }: SettingsForm,
): void {
  const path = buildSettingsPath(subject);
  const show = async (request: FastifyRequest, reply: FastifyReply, problems: FieldProblem[], status: number) =>
    sendSettings(request, reply, { subject, status }, await render(request, problems));
  app.get(path, (request, reply) => show(request, reply, [], 200));
  if (!submit) return;
  app.post(path, { config: ALLOW_UNCONFIRMED }, (request, reply) =>
    handlePageForm(
      reply,
      next,
      () => submit(request, reply),
      (problems, status) => show(request, reply, problems, status),
    ),
  );
}
