/** Request and response schemas of `POST /api/v1/articles`. */
import { type Static, Type } from 'typebox';
import { MAX_REPOSITORY_LENGTH } from '../../article/identity/repository.ts';
import { DESTINATION_KEYS, type DestinationKey } from '../../article/types.ts';
import { buildProblemResponse } from '../plugins/errors/problem.ts';

/** PATH_MAX of Linux. */
const MAX_PATH_LENGTH = 4_096;

/** Null counts as absent, as in frontmatter, because many clients send every field they know. */
const OptionalText = (options: { description: string; maxLength?: number }) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], ...options }));

const SourceSchema = Type.Optional(
  Type.Unsafe<{ repository?: string | null; path: string } | null>({
    type: ['object', 'null'],
    description:
      'The file that the document comes from. A title taken from fileName matches only an article with the same source or without a source.',
    required: ['path'],
    properties: {
      repository: {
        type: ['string', 'null'],
        maxLength: MAX_REPOSITORY_LENGTH,
        description: 'The URL of the Git remote, or a stable name of the repository without "@".',
      },
      path: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_PATH_LENGTH,
        description: 'Relative to the root of the repository, with "/" between names and without "." and "..".',
      },
    },
  }),
);

const ADDRESS_RULES =
  'An absolute http(s) address. Surrounding spaces are ignored, an empty text counts as absent, and characters that a URI cannot have are percent-encoded.';

const PublishBodySchema = Type.Object(
  {
    content: OptionalText({ description: 'Markdown or MDX with YAML or TOML frontmatter; at most 1 MiB of UTF-8.' }),
    markdown: OptionalText({ description: 'Another name for content.' }),
    canonicalUrl: OptionalText({ description: `Canonical URL if the frontmatter has none. ${ADDRESS_RULES}` }),
    baseUrl: OptionalText({ description: `Base that makes relative images and links absolute. ${ADDRESS_RULES}` }),
    coverImage: OptionalText({ description: 'Cover image if the frontmatter has none.' }),
    syndicationMode: OptionalText({ description: '"local" suppresses delivery to destinations.' }),
    fileName: OptionalText({
      description: 'Name of the file: .mdx is read as MDX, and the name is the title if the document has none.',
      maxLength: 255,
    }),
    source: SourceSchema,
    platforms: Type.Optional(
      Type.Unsafe<Partial<Record<DestinationKey, string>> | null>({
        type: ['object', 'null'],
        additionalProperties: { type: 'string', maxLength: 20 },
        description:
          'The platform that a destination must be connected to, such as {"cms_site": "ghost"}. If another platform is connected there, the publish is rejected (422, platform_not_connected).',
      }),
    ),
  },
  { additionalProperties: true },
);

const PublishResponseSchema = Type.Object({
  success: Type.Literal(true),
  action: Type.Union([Type.Literal('created'), Type.Literal('updated')]),
  data: Type.Object({
    id: Type.String(),
    slug: Type.String(),
    status: Type.Union([Type.Literal('DRAFT'), Type.Literal('PUBLISHED'), Type.Literal('SCHEDULED')]),
    url: Type.String({ format: 'uri' }),
    scheduledAt: Type.Optional(Type.String({ format: 'date-time', description: 'In UTC; only when SCHEDULED.' })),
    scheduledZone: Type.Optional(Type.String({ description: 'The time zone or offset that the author wrote.' })),
  }),
  warnings: Type.Optional(
    Type.Array(
      Type.Object({
        code: Type.String(),
        message: Type.String(),
        path: Type.Optional(Type.String()),
        line: Type.Optional(Type.Integer({ description: 'The line in the content as sent, counted from 1.' })),
        column: Type.Optional(Type.Integer()),
        destination: Type.Optional(
          Type.Unsafe<DestinationKey>({
            type: 'string',
            enum: [...DESTINATION_KEYS],
            description: 'The destination at which content is lost or rejected, or a copy stays unchanged.',
          }),
        ),
      }),
    ),
  ),
});

export type PublishBody = Static<typeof PublishBodySchema>;
export type PublishResponseBody = Static<typeof PublishResponseSchema>;

export const publishSchema = {
  summary: 'Publish or update an article',
  description:
    'Creates the article, or updates the author’s own article that matches by id, slug, canonical URL or title. Delivery to connected ' +
    'destinations follows in the background. Limited to 10 requests a minute per token.',
  security: [{ developerToken: [] }],
  headers: Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        description:
          'Up to 255 printable ASCII characters. Repeating a key within 24 hours returns the first response.',
      }),
    ),
  }),
  body: PublishBodySchema,
  response: {
    200: { ...PublishResponseSchema, description: 'An existing article was updated.' },
    201: { ...PublishResponseSchema, description: 'An article was created; Location is its address.' },
    400: buildProblemResponse('Malformed JSON or UTF-8.'),
    401: buildProblemResponse('No valid developer token.'),
    403: buildProblemResponse(
      'The author is suspended, has not confirmed an e-mail address (email_not_confirmed), or has no storage left for the document (storage_full).',
    ),
    409: buildProblemResponse('A request with this Idempotency-Key is still in progress.'),
    413: buildProblemResponse('Content over 1 MiB.'),
    415: buildProblemResponse('The body is not application/json.'),
    422: buildProblemResponse('Invalid fields or frontmatter, all reported at once, with line and column where known.'),
    429: buildProblemResponse('More than 10 requests within a minute.'),
    503: buildProblemResponse(
      'The database is unreachable, or too many documents are being rendered; nothing was changed. Try again after Retry-After.',
    ),
  },
};
