/** Interprets WordPress's own 4xx responses: the outcome, and what the author can do. */
import type { HttpResponse } from '../http/exchange.ts';
import { type Intent, reject, rejectDeleted, rejectToken, rejectTooLarge } from '../http/failures.ts';
import { readText } from '../http/read-field.ts';
import { quoteRefusal } from '../http/reason.ts';
import type { Failure } from '../types.ts';
import { LABEL } from './limits.ts';

/** Refused before the post is created. After any other refusal it may exist. */
const CERTAINLY_NOT_SAVED = new Set([
  'rest_cannot_assign_term',
  'rest_cannot_create',
  'rest_cannot_edit_others',
  'rest_cannot_publish',
  'rest_forbidden',
  'rest_invalid_param',
  'rest_invalid_json',
  'rest_missing_callback_param',
  'rest_no_route',
]);

/** `answer` is WordPress's own: JSON with a code, and a 4xx status other than 413 and 429. */
export function interpretRefusal(answer: HttpResponse, intent: Intent, secrets: Record<string, string>): Failure {
  const code = readText(answer.json, 'code') ?? '';
  if (answer.status === 401) return rejectToken(explain401(code));
  const words = quoteRefusal(stripTags(readText(answer.json, 'message') ?? ''), secrets);
  const refusal = explainRefusal(answer.status, code, words);
  const mayBeSaved = intent === 'create' && !CERTAINLY_NOT_SAVED.has(code) && refusal.code !== 'remote_gone';
  return { ...refusal, ...(mayBeSaved ? { mayBeSaved } : {}) };
}

/** A 413 comes from the web server in front of the site, in any format: nothing was done. */
export function interpretFromAnySender({ status }: HttpResponse): Failure | null {
  return status === 413 ? rejectTooLarge(LABEL) : null;
}

function explainRefusal(status: number, code: string, words: string): ReturnType<typeof reject> {
  if (code === 'rest_cannot_publish') return reject('cannot_publish', NO_RIGHT_TO_PUBLISH);
  if (code === 'rest_no_route') {
    return reject(
      'rest_disabled',
      'This WordPress responds, but its REST API for posts is switched off, possibly by a security plugin. Allow it there.',
    );
  }
  if (code === 'rest_post_invalid_id' || status === 410) return rejectDeleted(LABEL);
  if (status === 403) {
    return reject('forbidden', `WordPress forbids this: ${words}. Check the role of this account there.`);
  }
  if (status === 404) return reject('not_found', `WordPress does not find the requested item: ${words}.`);
  return reject('invalid', `WordPress refuses the article: ${words}.`);
}

export const NO_RIGHT_TO_PUBLISH =
  'This account may not publish on the WordPress site, or not edit its published posts. An administrator must make it an author or editor.';

function explain401(code: string): string {
  if (code.startsWith('application_passwords_disabled')) {
    return 'Application passwords are switched off on the WordPress site. Allow them there, then connect again.';
  }
  if (code === 'incorrect_password' || code === 'invalid_username' || code === 'invalid_email') {
    return 'WordPress does not accept the user name or the application password. Create a new password in the profile there and connect again.';
  }
  // The site cannot distinguish wrong credentials from a stripped header.
  return 'WordPress does not accept the user name and application password. Create a new password in the profile there and connect again. If they are correct, the web server or a security plugin removes the Authorization header: let it through.';
}

/** Messages of the login are HTML: `<strong>Error:</strong> …`. */
function stripTags(message: string): string {
  return message.slice(0, 4000).replace(/<[^<>]{0,200}>/g, '');
}
