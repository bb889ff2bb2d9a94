/**
 * What of a profile a form has changed. The form says what it began with, each field by a short hash, and only what differs from that is stored: a page that
 * was open all morning does not take back what another one saved meanwhile. What both have changed is asked about.
 */
import type { FieldProblem } from '../../web/fields.ts';
import { createHash } from 'node:crypto';
import type { ProfileForm } from './page.ts';

const FIELDS = ['name', 'bio', 'links', 'pictureUrl', 'signal'] as const;

export type ProfileField = (typeof FIELDS)[number];

/** For a hidden field: one hash for each field, in one order. */
export function describeSeen(form: ProfileForm): string {
  return FIELDS.map((field) => hashField(form, field)).join('-');
}

/** `seen` is empty where a form says nothing of it: then all of it counts. */
export function listChanged(form: ProfileForm, seen: string): ProfileField[] {
  const before = seen.split('-');
  return FIELDS.filter((field, index) => hashField(form, field) !== before[index]);
}

/** Those that are not any more what the form began with, nor what it makes of them. */
export function listCollisions(form: ProfileForm, present: ProfileForm, seen: string): FieldProblem[] {
  if (seen === '') return [];
  const meanwhile = listChanged(present, seen);
  return listChanged(form, seen)
    .filter((field) => meanwhile.includes(field) && hashField(form, field) !== hashField(present, field))
    .map((path) => ({ path, message: COLLISIONS[path] }));
}

const SAVE_AGAIN = 'Nothing is saved yet: save again to replace it.';
const COLLISIONS: Record<ProfileField, string> = {
  name: `The name was changed in another window meanwhile. ${SAVE_AGAIN}`,
  bio: `The bio was changed in another window meanwhile. ${SAVE_AGAIN}`,
  links: `The list was changed in another window meanwhile. ${SAVE_AGAIN}`,
  pictureUrl: `The address was changed in another window meanwhile. ${SAVE_AGAIN}`,
  signal: `What agents may do was changed in another window meanwhile. ${SAVE_AGAIN}`,
};

function hashField(form: ProfileForm, field: ProfileField): string {
  return createHash('sha256').update(JSON.stringify(form[field])).digest('base64').slice(0, 8);
}
