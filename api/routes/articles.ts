/** `POST /api/v1/articles` (4.1): publish or update an article. The developer-token interface is this one route. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { TooComplexError } from '../../article/errors.ts';
import { buildArticleUrl } from '../../article/slug.ts';
import { DESTINATION_KEYS, type DestinationKey, type DocumentInput, type Notice } from '../../article/types.ts';
import { claimKey, hashRequest, type IdempotencyKey, releaseKey } from '../../store/articles/idempotency.ts';
import { AuthorSuspendedError, type PublishResult, publishArticle } from '../../store/articles/publish.ts';
import type { StoredResponse } from '../../store/db/json-columns.ts';
import type { TokenOwner } from '../../store/users/developer-tokens.ts';
import type { ApiDeps } from '../deps.ts';
import { destinationWarnings } from '../destination-warnings.ts';
import { askPreflight, type PreflightQuestion } from '../documents/documents.ts';
import { authenticateToken, ownerOf, refuseSuspended } from '../plugins/developer-token.ts';
import { ProblemError, problemResponse } from '../problem.ts';
import { authorSuspended } from '../refusals.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

const CONTENT_LIMIT = 1024 * 1024;

/** Null is absent, as in the frontmatter: many clients send every field they know. */
const OptionalText = (options: { description: string }) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], ...options }));

const PublishBodySchema = Type.Object(
  {
    content: OptionalText({ description: 'Markdown or MDX with YAML or TOML frontmatter; at most 1 MiB of UTF-8.' }),
    markdown: OptionalText({ description: 'Another name for content.' }),
    canonicalUrl: OptionalText({ description: 'Canonical URL where the frontmatter has none.' }),
    baseUrl: OptionalText({ description: 'Base that makes relative images and links absolute.' }),
    coverImage: OptionalText({ description: 'Cover image where the frontmatter has none.' }),
    syndicationMode: OptionalText({ description: '"local" suppresses delivery to destinations.' }),
  },
  { additionalProperties: true },
);

const PublishAnswerSchema = Type.Object({
  success: Type.Literal(true),
  action: Type.Union([Type.Literal('created'), Type.Literal('updated')]),
  data: Type.Object({
    id: Type.String(),
    slug: Type.String(),
    status: Type.Union([Type.Literal('DRAFT'), Type.Literal('PUBLISHED'), Type.Literal('SCHEDULED')]),
    url: Type.String({ format: 'uri' }),
    scheduledAt: Type.Optional(Type.String({ format: 'date-time', description: 'In UTC; only when SCHEDULED.' })),
    scheduledZone: Type.Optional(Type.String({ description: 'The zone or offset in which the time was given.' })),
  }),
  warnings: Type.Optional(
    Type.Array(
      Type.Object({
        code: Type.String(),
        message: Type.String(),
        path: Type.Optional(Type.String()),
        line: Type.Optional(Type.Integer({ description: 'Of the content as sent; counts from 1.' })),
        column: Type.Optional(Type.Integer()),
        destination: Type.Optional(
          Type.Unsafe<DestinationKey>({
            type: 'string',
            enum: [...DESTINATION_KEYS],
            description: 'The destination that this is about: what is lost or refused there, or stays as it is.',
          }),
        ),
      }),
    ),
  ),
});

type PublishBody = Static<typeof PublishBodySchema>;
type PublishAnswer = Static<typeof PublishAnswerSchema>;

const publishSchema = {
  summary: 'Publish or update an article',
  description:
    'Creates the article, or updates the author’s own article that matches by id, slug, canonical URL or title. Delivery to connected ' +
    'destinations follows in the background. Limited to 10 requests a minute and token.',
  security: [{ developerToken: [] }],
  headers: Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        description: 'Up to 255 printable ASCII characters. A repeat within 24 hours gets the first answer.',
      }),
    ),
  }),
  body: PublishBodySchema,
  response: {
    200: { ...PublishAnswerSchema, description: 'An existing article was updated.' },
    201: { ...PublishAnswerSchema, description: 'An article was created; Location is its address.' },
    400: problemResponse('Malformed JSON or UTF-8.'),
    401: problemResponse('No valid developer token.'),
    403: problemResponse('The author is suspended.'),
    409: problemResponse('A request with this Idempotency-Key is still in progress.'),
    413: problemResponse('Content over 1 MiB.'),
    415: problemResponse('Not application/json.'),
    422: problemResponse(
      'Fields or frontmatter that are not valid, all at once, with line and column where they have one.',
    ),
    429: problemResponse('More than 10 requests within a minute.'),
    503: problemResponse('The database is away; nothing was changed.'),
  },
};

export async function articleRoutes(fastify: FastifyInstance, deps: ApiDeps & { onPublished: () => void }) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  const { db, now } = deps;

  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/v1/articles',
    schema: { hide: true },
    handler: async () => {
      const detail = 'This interface has one route: POST /api/v1/articles.';
      throw new ProblemError(405, 'method_not_allowed', detail, { headers: { allow: 'POST' } });
    },
  });

  app.post(
    '/api/v1/articles',
    { schema: publishSchema, onRequest: [authenticateToken(db, now), app.rateLimit(), refuseSuspended] },
    async (request, reply) => {
      const { userId, platforms } = ownerOf(request);
      const { body } = request;
      const content = contentOf(body);
      const key = readIdempotencyKey(request, userId, hashRequest([content, ...Object.values(optionsOf(body))]));
      const replayed = key && (await claim(deps, key));
      const response =
        replayed ?? (await holding(deps, key, () => publish(deps, { userId, platforms }, content, body, key)));
      if (!replayed) deps.onPublished();
      reply.headers(replayed ? { ...response.headers, 'idempotency-replayed': 'true' } : response.headers);
      return reply.code(response.status as 200 | 201).send(response.body as PublishAnswer);
    },
  );
}

/** Reads, renders and stores; answers what is to be sent, kept under the key in the same transaction where there is one. */
async function publish(
  deps: ApiDeps,
  author: Pick<TokenOwner, 'userId' | 'platforms'>,
  content: string,
  body: PublishBody,
  key: IdempotencyKey | null,
): Promise<StoredResponse> {
  const { baseUrl } = deps.config;
  const { syndicationMode, ...options } = optionsOf(body);
  const syndicate = syndicationMode !== 'local';
  // Who delivers nothing need not hear what would be lost.
  const question = syndicate ? askPreflight(author.platforms, baseUrl) : undefined;
  const input = { content, ...options, now: deps.now() };
  const { draft, derived, warnings, preflights } = await readDocument(deps, input, question);
  if (syndicationMode !== undefined && syndicationMode !== 'local') {
    const message = `syndicationMode knows only "local"; delivery goes ahead.`;
    warnings.push({ code: 'syndication_mode_unknown', path: 'syndicationMode', message });
  }
  const respond = (result: PublishResult) => {
    const { status } = result.article;
    const said = destinationWarnings({ draft, status, syndicate, facts: result.destinations, preflights });
    return answerOf(result, [...warnings, ...result.warnings, ...said], baseUrl);
  };
  try {
    const result = await publishArticle(deps.db, {
      authorId: author.userId,
      draft,
      derived,
      // PostgreSQL's text takes no NUL; the body was cleaned of it when it was read.
      source: content.replaceAll('\u0000', '\ufffd'),
      syndicate,
      baseUrl,
      now: deps.now(),
      idempotency: key ? { key, respond } : undefined,
    });
    return respond(result);
  } catch (error) {
    if (!(error instanceof AuthorSuspendedError)) throw error;
    throw authorSuspended();
  }
}

async function readDocument(deps: ApiDeps, input: DocumentInput, question: PreflightQuestion | undefined) {
  const { read, derived, extra } = await readAndDerive(deps, input, question);
  if (!read.ok) {
    const detail = 'The document was not taken; see errors. Nothing was changed.';
    throw new ProblemError(422, 'invalid_document', detail, { errors: read.problems });
  }
  if (!derived) throw new Error('a document was read and not rendered');
  return { draft: read.draft, derived, warnings: [...read.warnings], preflights: extra ?? [] };
}

async function readAndDerive(deps: ApiDeps, input: DocumentInput, question: PreflightQuestion | undefined) {
  try {
    return await deps.documents.readAndDerive(input, { siteOrigin: deps.config.baseUrl }, question);
  } catch (error) {
    if (!(error instanceof TooComplexError)) throw error;
    const errors = [{ path: 'content', message: error.message }];
    throw new ProblemError(422, 'too_complex', 'The document is too complex to be rendered.', { errors });
  }
}

function contentOf(body: PublishBody): string {
  const { content, markdown } = body;
  if (isGiven(content) && isGiven(markdown) && content !== markdown) {
    throw invalid('markdown', 'content and markdown are both given and differ; send one of them');
  }
  const text = content ?? markdown;
  if (!isGiven(text)) throw invalid('content', 'is required (or markdown, its other name)');
  if (text.trim() === '') throw invalid('content', 'is empty');
  const bytes = Buffer.byteLength(text);
  if (bytes > CONTENT_LIMIT) {
    throw new ProblemError(413, 'content_too_large', `The content has ${bytes} bytes; the limit is ${CONTENT_LIMIT}.`);
  }
  return text;
}

function optionsOf({ canonicalUrl, baseUrl, coverImage, syndicationMode }: PublishBody) {
  return {
    canonicalUrl: canonicalUrl ?? undefined,
    baseUrl: baseUrl ?? undefined,
    coverImage: coverImage ?? undefined,
    syndicationMode: syndicationMode ?? undefined,
  };
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function answerOf({ action, article }: PublishResult, warnings: Notice[], baseUrl: string): StoredResponse {
  const { id, slug, status, scheduledAt, scheduledZone } = article;
  const url = buildArticleUrl(baseUrl, slug);
  const body: PublishAnswer = {
    success: true,
    action,
    data: {
      id,
      slug,
      status,
      url,
      ...(scheduledAt ? { scheduledAt: scheduledAt.toISOString() } : {}),
      ...(scheduledZone ? { scheduledZone } : {}),
    },
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  const created = action === 'created';
  return { status: created ? 201 : 200, headers: created ? { location: url } : {}, body };
}

/** The kept answer of a repeat; null where this request is the first and holds the claim. */
async function claim(deps: ApiDeps, key: IdempotencyKey): Promise<StoredResponse | null> {
  const result = await claimKey(deps.db, key, deps.now());
  switch (result.kind) {
    case 'claimed':
      return null;
    case 'replay':
      return result.response;
    case 'in_progress': {
      const detail = 'A request with this Idempotency-Key is still in progress. Ask again in a moment.';
      throw new ProblemError(409, 'idempotency_key_in_progress', detail, { headers: { 'retry-after': '1' } });
    }
    case 'other_body': {
      const detail = 'This Idempotency-Key was used with another body. Use a new key for a new request.';
      throw new ProblemError(422, 'idempotency_key_reused', detail);
    }
  }
}

/** Nothing was done under a claim whose work failed, so it is given back. */
async function holding<T>(deps: ApiDeps, key: IdempotencyKey | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Where the database is away the claim runs out by itself.
    if (key)
      await releaseKey(deps.db, key).catch((cause: unknown) => deps.log.warn({ err: cause }, 'claim not released'));
    throw error;
  }
}

function invalid(path: string, message: string): ProblemError {
  const detail = 'Some fields of the request are not valid; see errors.';
  return new ProblemError(422, 'invalid_request', detail, { errors: [{ path, message }] });
}
