/**
 * Finds the fields that a profile form changed. The form contains a hash of each original value.
 * Only changed fields are stored, so that an old page does not revert changes of another one. A
 * field that both changed is reported as a collision.
 */

import { createHash } from 'node:crypto';
import type { FieldProblem } from '../../web/fields.ts';
import type { ProfileForm } from './page.ts';

const FIELDS = ['name', 'bio', 'links', 'pictureUrl', 'signal'] as const;

export type ProfileField = (typeof FIELDS)[number];

/** The value of the hidden field: one hash per field, in the order of `FIELDS`. */
export function describeSeen(form: ProfileForm): string {
  return FIELDS.map((field) => hashField(form, field)).join('-');
}

/** If `seenHashes` is empty, every field counts as changed. */
export function listChanged(form: ProfileForm, seenHashes: string): ProfileField[] {
  const seen = seenHashes.split('-');
  return FIELDS.filter((field, index) => hashField(form, field) !== seen[index]);
}

/** Fields that the form changed, while the stored value was changed to something else. */
export function listCollisions(form: ProfileForm, stored: ProfileForm, seenHashes: string): FieldProblem[] {
  if (seenHashes === '') return [];
  const changedMeanwhile = listChanged(stored, seenHashes);
  return listChanged(form, seenHashes)
    .filter((field) => changedMeanwhile.includes(field) && hashField(form, field) !== hashField(stored, field))
    .map((path) => ({ path, message: COLLISIONS[path] }));
}

const SAVE_AGAIN = 'Nothing has been saved yet. Save again to replace it.';
const COLLISIONS: Record<ProfileField, string> = {
  name: `The name was changed in another window. ${SAVE_AGAIN}`,
  bio: `The bio was changed in another window. ${SAVE_AGAIN}`,
  links: `The list was changed in another window. ${SAVE_AGAIN}`,
  pictureUrl: `The address was changed in another window. ${SAVE_AGAIN}`,
  signal: `The choices for agents were changed in another window. ${SAVE_AGAIN}`,
};

function hashField(form: ProfileForm, field: ProfileField): string {
  return createHash('sha256').update(JSON.stringify(form[field])).digest('base64').slice(0, 8);
}
