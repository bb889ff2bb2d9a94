/** Accepts forms of this site's pages and reads their fields. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isSameOrigin } from '../auth/same-origin.ts';
import { ProblemError } from '../plugins/errors/problem.ts';
import { formBodyPlugin } from '../plugins/form-body.ts';

const MAX_FORM_BYTES = 64 * 1024;

/** Lets the routes of the calling plugin accept forms, but only from pages of this site. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(formBodyPlugin, { bodyLimit: MAX_FORM_BYTES });
  app.addHook('onRequest', async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isSameOrigin(request)) {
      throw new ProblemError(
        403,
        'foreign_form',
        'This form was not sent from a page of this site. Open the page on this site and try again.',
      );
    }
  });
}

/** The first value of that name, as submitted; empty without one. */
export function readField({ body }: FastifyRequest, name: string): string {
  const value = body instanceof FormData ? body.get(name) : null;
  return typeof value === 'string' ? value : '';
}

/** The values of all fields of that name, such as selected checkboxes. */
export function readFields({ body }: FastifyRequest, name: string): string[] {
  return body instanceof FormData ? body.getAll(name).filter((value) => typeof value === 'string') : [];
}

/** Whether a script sent the form and expects JSON instead of a page. */
export function acceptsJson({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('application/json') === true;
}
