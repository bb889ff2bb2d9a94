/**
 * `GET /api/geo/changes`: lists added, changed and withdrawn articles for agents that follow the
 * site. Never cached, because each response must include the newest change.
 */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { buildDocumentUrl } from '../../article/discovery/addresses.ts';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import {
  type ArticleChange,
  type ChangePosition,
  findChangeEpoch,
  listChanges,
} from '../../store/changes/list-changes.ts';
import type { Database } from '../../store/db/database.ts';
import type { ApiDeps } from '../deps.ts';
import { FOR_ANY_ORIGIN } from '../http-cache/public-response.ts';
import { buildProblemResponse, ProblemError } from '../plugins/errors/problem.ts';

export const DEFAULT_LIMIT = 100;

const ChangeSchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The id of the article; it stays the same if the slug changes.' }),
  change: Type.Union([Type.Literal('added'), Type.Literal('changed'), Type.Literal('withdrawn')]),
  slug: Type.String({ description: 'The current slug; for a withdrawn article, the last one.' }),
  url: Type.String({ format: 'uri' }),
  document: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
    description: 'The URL of the document for agents; null for a withdrawn article.',
  }),
  at: Type.String({ format: 'date-time' }),
});

export const ChangesSchema = Type.Object({
  data: Type.Array(ChangeSchema),
  next: Type.String({ description: 'The value of `since` for the next request.' }),
  more: Type.Boolean({ description: 'Whether more changes are available now.' }),
});

const QuerySchema = Type.Object({
  since: Type.Optional(
    Type.String({ maxLength: 200, description: '`next` of an earlier response; if omitted, from the beginning.' }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9]|[1-9]\\d|[1-4]\\d\\d|500)$',
      description: `From 1 to 500; default ${DEFAULT_LIMIT}.`,
    }),
  ),
});

export async function changeRoutes(app: FastifyInstance, { db, config }: Pick<ApiDeps, 'db' | 'config'>) {
  app.get<{ Querystring: Static<typeof QuerySchema> }>(
    '/api/geo/changes',
    {
      schema: {
        summary: 'List added, changed and withdrawn articles',
        description:
          'In order and without gaps: each article once, with its current state, at the position of its last change after `since`. Store `next` and send it as `since` in the next request.',
        querystring: QuerySchema,
        response: {
          200: ChangesSchema,
          410: buildProblemResponse(
            'The cursor belongs to another history of this site, which was restored, moved or updated. Start again without `since`.',
          ),
          422: buildProblemResponse('`since` is not a cursor of this site, or `limit` is not a number from 1 to 500.'),
        },
      },
    },
    async (request, reply) => {
      reply.headers(FOR_ANY_ORIGIN).header('cache-control', 'no-store');
      const { since, limit } = request.query;
      return readChanges({ db, baseUrl: config.baseUrl }, { since, limit: Number(limit ?? DEFAULT_LIMIT) });
    },
  );
}

/** Throws a `ProblemError`: 422 if `since` is no cursor, 410 if it is of another history. */
export async function readChanges(
  { db, baseUrl }: { db: Database; baseUrl: string },
  { since, limit }: { since: string | undefined; limit: number },
) {
  const epoch = await findChangeEpoch(db);
  const after = readSince(since, epoch)?.number ?? 0;
  const changes = await listChanges(db, { after, limit: limit + 1 });
  const shown = changes.slice(0, limit);
  const number = shown.at(-1)?.number ?? after;
  return {
    data: shown.map((change) => formatChange(change, baseUrl)),
    next: formatCursor({ epoch, number }),
    more: changes.length > limit,
  };
}

function formatChange({ articleId, change, slug, at }: ArticleChange, baseUrl: string) {
  return {
    id: articleId,
    change,
    slug,
    url: buildArticleUrl(baseUrl, slug),
    document: change === 'withdrawn' ? null : buildDocumentUrl(baseUrl, slug),
    at: at.toISOString(),
  };
}

function readSince(since: string | undefined, epoch: string) {
  if (since === undefined) return null;
  const position = parseCursor(since);
  if (!position) {
    const message = 'is not a cursor of this site; omit it to start from the beginning';
    throw new ProblemError(422, 'invalid_request', 'since is not a cursor of this site.', {
      errors: [{ path: 'since', message }],
    });
  }
  if (position.epoch !== epoch) {
    const detail =
      'This site was restored, moved or updated since then, so its changes cannot be listed. Start again without since.';
    throw new ProblemError(410, 'start_again', detail);
  }
  return position;
}

const CURSOR = /^([0-9a-f-]{36})\.(\d{1,15})$/;

/** Cursors are opaque to clients. */
function formatCursor({ epoch, number }: ChangePosition): string {
  return Buffer.from(`${epoch}.${number}`).toString('base64url');
}

/** Returns null for a text that is no cursor of this site. */
function parseCursor(text: string): ChangePosition | null {
  const [, epoch, number] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  return epoch && number ? { epoch, number: Number(number) } : null;
}
