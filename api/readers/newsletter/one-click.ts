/**
 * The form by which a mail program unsubscribes (RFC 8058): one field, in either encoding of a form.
 * The button of the page sends the same one.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { formBodyPlugin } from '../../plugins/form-body.ts';
import { readField } from '../../web/forms.ts';

const MAX_BODY_BYTES = 4 * 1024;

/** Lets the routes of the calling plugin accept it. */
export async function acceptOneClick(app: FastifyInstance): Promise<void> {
  await app.register(formBodyPlugin, { bodyLimit: MAX_BODY_BYTES, takesMultipart: true });
}

/** Throws a 400 for any other form. */
export function requireOneClick(request: FastifyRequest): void {
  if (readField(request, 'List-Unsubscribe') === 'One-Click') return;
  throw new ProblemError(400, 'not_one_click', 'The form must hold List-Unsubscribe=One-Click.');
}
