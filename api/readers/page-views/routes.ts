/**
 * Route that receives the page views that browsers report (`navigator.sendBeacon`). It is public
 * and uses no cookie, and no stored value identifies a reader. Bots and readers who opt out are not
 * counted.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { Type } from 'typebox';
import { isStorableName } from '../../../store/db/valid-keys.ts';
import { buildProblemResponse, ProblemError } from '../../plugins/errors/problem.ts';
import { limitRequests } from '../../plugins/limit-requests.ts';
import type { PageViewRecorder } from './recorder.ts';

const BODY_LIMIT = 4 * 1024;
const MAX_REPORTS_PER_MINUTE = 300;
const MAX_USER_AGENT_CHARACTERS = 512;

export async function pageViewRoutes(fastify: FastifyInstance, deps: { recorder: PageViewRecorder; baseUrl: string }) {
  const { recorder } = deps;
  const { hostname: ownHost } = new URL(deps.baseUrl);
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  await limitRequests(fastify, { perMinute: MAX_REPORTS_PER_MINUTE, what: 'reports' });
  // Pages send beacons as text/plain, which needs no preflight request.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['text/plain', 'application/json'],
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    async (_request: unknown, body: string) => body,
  );

  app.post(
    '/api/v1/articles/:slug/readings',
    {
      schema: {
        summary: 'Report a page view and its reading time',
        description:
          'The body is empty or a JSON object, as application/json or text/plain: `seconds` of reading since the last report, ' +
          'and `referrer`, of which only the host is stored. A reader counts once per day, by a hash with a salt that is deleted after the day.',
        params: Type.Object({ slug: Type.String() }),
        response: {
          204: Type.Null({ description: 'Accepted. Reports from bots are accepted but not counted.' }),
          400: buildProblemResponse('The body is not a valid report.'),
          413: buildProblemResponse('The body is larger than 4 KiB.'),
          415: buildProblemResponse('The body is neither text/plain nor application/json.'),
          429: buildProblemResponse('Too many reports from one network.'),
          503: buildProblemResponse('Too many page views are waiting to be written, or the database is unreachable.'),
        },
      },
    },
    async (request, reply) => {
      const beacon = readBeacon(typeof request.body === 'string' ? request.body : '', ownHost);
      const { slug } = request.params;
      const userAgent = (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_CHARACTERS);
      if (isStorableName(slug) && shouldCount(request, userAgent)) {
        const isQueued = await recorder.add({ slug, address: request.ip, userAgent, ...beacon });
        if (!isQueued) {
          throw new ProblemError(503, 'busy', 'Too many page views are waiting to be written.', {
            headers: { 'retry-after': '5' },
          });
        }
      }
      reply.header('cache-control', 'no-store');
      return reply.code(204).send(null);
    },
  );
}

/** False for bots and for readers who opt out with Global Privacy Control or Do Not Track. */
function shouldCount({ headers }: FastifyRequest, userAgent: string): boolean {
  return userAgent !== '' && !isbot(userAgent) && headers['sec-gpc'] !== '1' && headers.dnt !== '1';
}

interface Beacon {
  seconds: number;
  /** Host of the referrer; `direct` without another site. */
  host: string;
}

/** Pages report at least this often. A larger value is forged or comes from a changed clock. */
const MAX_SECONDS = 15 * 60;
/** A public DNS name: it contains a dot and only characters that are safe to display. */
const HOST = /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/;

/**
 * An empty body is a view without reading time. A referrer at `ownHost`, the host of this site,
 * counts as `direct`. Throws a 400 for a malformed report.
 */
function readBeacon(body: string, ownHost: string): Beacon {
  if (body.trim() === '') return { seconds: 0, host: 'direct' };
  const value = parse(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw createProblem();
  const { seconds = 0, referrer = '' } = value as { seconds?: unknown; referrer?: unknown };
  if (typeof seconds !== 'number' || !(seconds >= 0) || typeof referrer !== 'string') throw createProblem();
  return { seconds: Math.round(Math.min(seconds, MAX_SECONDS)), host: readHost(referrer, ownHost) };
}

function readHost(referrer: string, ownHost: string): string {
  if (!/^https?:\/\//i.test(referrer) || !URL.canParse(referrer)) return 'direct';
  const host = trim(new URL(referrer).hostname);
  return HOST.test(host) && host !== trim(ownHost) ? host : 'direct';
}

function trim(hostname: string): string {
  return hostname.replace(/\.$/, '').replace(/^www\./, '');
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw createProblem();
  }
}

function createProblem(): ProblemError {
  const detail = 'The body must be empty or a JSON object with seconds (a number) and referrer (a URL).';
  return new ProblemError(400, 'malformed_reading', detail);
}
