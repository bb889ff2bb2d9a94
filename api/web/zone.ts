/** The time zone in which an author is shown what happened and what will. */
import type { FastifyRequest } from 'fastify';
import { readZone } from '../../article/time-zone.ts';
import { getViewer } from './viewer.ts';

/** What the script of the desk says of its browser, for the next page. */
const COOKIE = 'courant_zone';

/** The one that they chose, or else that of their browser. */
export function findZone(request: FastifyRequest): string {
  return getViewer(request).zone ?? readZone(request.cookies[COOKIE] ?? '') ?? 'UTC';
}
