/**
 * Accepts the one-click form with which mail programs unsubscribe (RFC 8058): one field, in either
 * form encoding. The page with the button sends the same form.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '../plugins/errors/problem.ts';
import { formBodyPlugin } from '../plugins/form-body.ts';
import { readField } from './forms.ts';
import { html } from './html.ts';

export const ONE_CLICK_FORM = html`<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="button primary">Unsubscribe</button></form>`;

const MAX_BODY_BYTES = 4 * 1024;

/** Registers the form parser for the routes of `app`. */
export async function acceptOneClick(app: FastifyInstance): Promise<void> {
  await app.register(formBodyPlugin, { bodyLimit: MAX_BODY_BYTES, takesMultipart: true });
}

/** Throws a 400 for any other form. */
export function requireOneClick(request: FastifyRequest): void {
  if (readField(request, 'List-Unsubscribe') === 'One-Click') return;
  throw new ProblemError(400, 'not_one_click', 'The form must contain List-Unsubscribe=One-Click.');
}
