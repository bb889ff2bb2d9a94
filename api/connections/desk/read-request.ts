/** Reads requests of the connection pages: their destinations, platforms, credentials and problems. */
import type { FastifyRequest } from 'fastify';
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import { DESCRIPTORS } from '../../../destinations/registry.ts';
import type { Platform } from '../../../destinations/types.ts';
import type { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { createNotFound } from '../../web/desk/not-found.ts';
import type { FieldProblem } from '../../web/fields.ts';
import { readField } from '../../web/forms.ts';

export function readDestination(text: string): DestinationKey {
  const key = DESTINATION_KEYS.find((known) => known === text);
  if (key === undefined) throw createNotFound('This destination does not exist.');
  return key;
}

/** Defaults to the first platform of the destination. Throws a 404 for an unknown one. */
export function readPlatform(destination: DestinationKey, value: unknown): Platform {
  const platforms = PLATFORMS_BY_KEY[destination];
  const isNamed = value !== undefined && value !== '';
  const platform = isNamed ? platforms.find((candidate) => candidate === value) : platforms[0];
  if (platform === undefined) throw createNotFound('This destination does not support this platform.');
  return platform;
}

export function readCredentials(request: FastifyRequest, platform: Platform): Record<string, string> {
  return Object.fromEntries(
    DESCRIPTORS[platform].connection.fields.map(({ name }) => [name, readField(request, name)]),
  );
}

/** Maps a rejected request to a form field and replaces field names with the form's labels. */
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
