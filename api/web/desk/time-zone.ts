/** The time zone in which an author sees times. */
import type { FastifyRequest } from 'fastify';
import { readZone } from '../../../article/time-zone.ts';
import { getViewer } from '../viewer.ts';

/** The desk's script stores the zone of the browser here, for the next page. */
const COOKIE = 'courant_zone';

export function findZone(request: FastifyRequest): string {
  return findKnownZone(request) ?? 'UTC';
}

/** The zone that the author chose, or else that of their browser; null if neither is known. */
export function findKnownZone(request: FastifyRequest): string | null {
  return getViewer(request).zone ?? readZone(request.cookies[COOKIE] ?? '');
}
