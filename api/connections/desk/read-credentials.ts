/** Reads the credential fields of a platform from a submitted form. */
import type { FastifyRequest } from 'fastify';
import type { Platform } from '../../../destinations/types.ts';
import { readField } from '../../web/forms.ts';
import { PLATFORM_FORMS } from './platform-forms.ts';

export function readCredentials(request: FastifyRequest, platform: Platform): Record<string, string> {
  return Object.fromEntries(PLATFORM_FORMS[platform].fields.map(({ name }) => [name, readField(request, name)]));
}
