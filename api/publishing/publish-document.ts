/** Use case of `POST /api/v1/articles`: reads, renders and stores a document. */
import { TooComplexError } from '../../article/errors.ts';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import { DESTINATION_KEYS, type Notice } from '../../article/types.ts';
import { findDescriptor, nameDestination } from '../../destinations/registry.ts';
import type { HeldClaim } from '../../store/articles/publish/idempotency.ts';
import { type PublishResult, publishArticle } from '../../store/articles/publish/publish.ts';
import type { StoredResponse } from '../../store/db/types.ts';
import type { TokenOwner } from '../../store/tokens/developer-tokens.ts';
import type { PublishDeps } from '../deps.ts';
import { buildPreflightRequest } from '../documents/preflight.ts';
import { ProblemError } from '../plugins/errors/problem.ts';
import { buildDestinationWarnings } from './destination-warnings.ts';
import type { PublishInput } from './request.ts';
import type { PublishResponseBody } from './schema.ts';

type Author = Pick<TokenOwner, 'userId' | 'platforms'>;

/** With a `claim`, the response is stored in the transaction that stores the article. */
export function publishDocument(
  deps: PublishDeps,
  author: Author,
  input: PublishInput,
  claim: HeldClaim | null,
): Promise<StoredResponse> {
  return deps.publishQueue.run(author.userId, () => readAndStore(deps, author, input, claim));
}

async function readAndStore(
  { config, db, documents, tracing, now, onPublished }: PublishDeps,
  author: Author,
  { content, options, expected }: PublishInput,
  claim: HeldClaim | null,
): Promise<StoredResponse> {
  const { baseUrl, maxStorageBytesPerAuthor: storageLimit } = config;
  const { syndicationMode, source, platforms, ...defaults } = options;
  requirePlatforms(platforms, author.platforms);
  const syndicate = syndicationMode !== 'local';
  const input = { content, ...defaults, sourcePath: source?.path, now: now() };
  // Without delivery, nothing can be lost at destinations.
  const preflightRequest = syndicate ? buildPreflightRequest(author.platforms, baseUrl) : undefined;
  const document = { input, options: { siteOrigin: baseUrl }, preflightRequest };
  const read = await documents.readAndRender(author.userId, document).catch(explainComplexity);
  if (!read.ok) {
    const detail = 'The document is not valid; see errors. Nothing was changed.';
    throw new ProblemError(422, 'invalid_document', detail, { errors: read.problems });
  }
  const { draft, rendered, preflights } = read;
  const warnings = [...read.warnings];
  if (syndicationMode !== undefined && syndicationMode !== 'local') {
    const message = `The only value of syndicationMode is "local"; the article is delivered.`;
    warnings.push({ code: 'syndication_mode_unknown', path: 'syndicationMode', message });
  }
  const respond = (result: PublishResult) => {
    const situation = { status: result.article.status, syndicate, facts: result.destinations, preflights };
    const destinationWarnings = buildDestinationWarnings(situation);
    return buildResponse(result, [...warnings, ...result.warnings, ...destinationWarnings], baseUrl);
  };
  const result = await publishArticle(db, {
    ...{ draft, rendered, syndicate, baseUrl, storageLimit, expected },
    authorId: author.userId,
    // PostgreSQL text cannot contain NUL. Reading has already removed it from the body.
    source: content.replaceAll('\u0000', '\ufffd'),
    documentSource: source ?? null,
    now: now(),
    traceparent: tracing?.writeTraceparent(),
    idempotency: claim ? { claim, respond } : undefined,
  });
  onPublished(result);
  return respond(result);
}

/** Throws a 422 if a destination is connected to another platform than the client requires. */
function requirePlatforms(platforms: Record<string, string>, connected: Author['platforms']): void {
  const errors = DESTINATION_KEYS.flatMap((key) => {
    const [platform, requiredPlatform] = [connected[key], platforms[key]];
    if (platform === undefined || requiredPlatform === undefined || platform === requiredPlatform) return [];
    const required = findDescriptor(requiredPlatform)?.label ?? JSON.stringify(requiredPlatform);
    const message = `${key} is connected to ${nameDestination(key, [{ destination: key, platform }])}, not to ${required}.`;
    return [{ path: `platforms.${key}`, message }];
  });
  const [first] = errors;
  if (first)
    throw new ProblemError(422, 'platform_not_connected', `${first.message} Nothing was published.`, { errors });
}

/** Rethrows a `TooComplexError` as a 422. */
export function explainComplexity(error: unknown): never {
  if (!(error instanceof TooComplexError)) throw error;
  const { message, line } = error;
  const errors = [{ path: 'content', message, ...(line === undefined ? {} : { line }) }];
  throw new ProblemError(422, 'too_complex', 'The document is too complex to be rendered.', { errors });
}

function buildResponse({ action, article }: PublishResult, warnings: Notice[], baseUrl: string): StoredResponse {
  const { id, slug, status, scheduledAt, scheduledZone } = article;
  const url = buildArticleUrl(baseUrl, slug);
  const body: PublishResponseBody = {
    success: true,
    action,
    data: {
      ...{ id, slug, status, url },
      ...(scheduledAt ? { scheduledAt: scheduledAt.toISOString() } : {}),
      ...(scheduledZone ? { scheduledZone } : {}),
    },
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  const isCreated = action === 'created';
  return { status: isCreated ? 201 : 200, headers: isCreated ? { location: url } : {}, body };
}
