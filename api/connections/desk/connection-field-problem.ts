/**
 * Maps a rejected connect request to a form field and replaces field names with the form's labels.
 */

import { DESCRIPTORS } from '../../../destinations/registry.ts';
import type { Platform } from '../../../destinations/types.ts';
import type { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import type { FieldProblem } from '../../web/fields.ts';

export function toConnectionFieldProblem(platform: Platform, error: RefusedCommandError): FieldProblem {
  return { path: choosePath(platform, error) ?? '', message: nameFields(platform, error) };
}

/** Form field of each error code of a probe. */
const FIELDS_BY_CODE: Record<string, string> = {
  LEADS_ELSEWHERE: 'baseUrl',
  NOT_WORDPRESS: 'baseUrl',
  NOT_GHOST: 'baseUrl',
  NOT_FOUND: 'baseUrl',
  ENDPOINT_MOVED: 'baseUrl',
  ADDRESS_REFUSED: 'baseUrl',
  PUBLICATION_NOT_FOUND: 'publicationId',
  ORGANIZATION_INVALID: 'organizationId',
};

function choosePath(platform: Platform, { code, field }: RefusedCommandError): string | undefined {
  if (field === 'baseUrl') return field;
  if (field?.startsWith('credentials.')) return field.slice('credentials.'.length);
  if (code === 'CREDENTIALS_REFUSED' || field === 'credentials') {
    return DESCRIPTORS[platform].connection.fields.find(({ kind }) => kind === 'secret')?.name;
  }
  return FIELDS_BY_CODE[code];
}

/** The message contains field names of the API, which the form does not show. */
function nameFields(platform: Platform, { code, message }: RefusedCommandError): string {
  if (code !== 'BAD_CREDENTIALS') return message;
  const { fields } = DESCRIPTORS[platform].connection;
  const names = new RegExp(`\\b(?:${fields.map((field) => field.name).join('|')})\\b`, 'g');
  return message.replace(names, (found) => `“${fields.find((field) => field.name === found)?.label ?? found}”`);
}
