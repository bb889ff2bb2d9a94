/** Reads the credential fields of a platform from a submitted form. */
import type { FastifyRequest } from 'fastify';
import { DESCRIPTORS } from '../../../destinations/registry.ts';
import type { Platform } from '../../../destinations/types.ts';
import { readField } from '../../web/forms.ts';

export function readCredentials(request: FastifyRequest, platform: Platform): Record<string, string> {
  return Object.fromEntries(
    DESCRIPTORS[platform].connection.fields.map(({ name }) => [name, readField(request, name)]),
  );
}
