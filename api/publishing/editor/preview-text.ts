/** Checks a text before a publish: problems, changes, rendering and losses at destinations. */
import { TooComplexError } from '../../../article/errors.ts';
import {
  type ArticleDraft,
  DESTINATION_KEYS,
  type DestinationKey,
  type Notice,
  type Problem,
  type RenderedArticle,
} from '../../../article/types.ts';
import { listPermanentEffects, type Preflight } from '../../../destinations/format/preflight.ts';
import { findKey } from '../../../destinations/platforms.ts';
import { nameDestination } from '../../../destinations/registry.ts';
import type { ExpectedArticle } from '../../../store/articles/publish/expected-article.ts';
import { findMatchedArticle, type MatchedArticle } from '../../../store/articles/publish/find-matched-article.ts';
import { type ConnectedPlatforms, listConnections } from '../../../store/connections/list.ts';
import { countHit } from '../../../store/rate-limits/counters.ts';
import type { Viewer } from '../../../store/users/find-user.ts';
import { MINUTE_MS } from '../../auth/limits.ts';
import type { ApiDeps } from '../../deps.ts';
import { buildPreflightRequest } from '../../documents/preflight.ts';
import { createRateLimitProblem } from '../../plugins/errors/problem.ts';
import type { WriteForm } from './read-form.ts';

export type WriteDeps = Pick<ApiDeps, 'config' | 'db' | 'documents' | 'log' | 'now'>;

export interface TextPreview {
  /** Reasons why a publish would be rejected. */
  problems: Problem[];
  warnings: Notice[];
  article: PreviewedArticle | null;
}

export interface PreviewedArticle
  extends Pick<ArticleDraft, 'title' | 'subtitle' | 'coverImage' | 'status' | 'scheduledAt'> {
  rendered: RenderedArticle;
  /** The article that a publish would update; null for a new one. */
  matchedArticle: MatchedArticle | null;
  /** True if the article has changed since the author opened it. */
  isChangedElsewhere: boolean;
  /** The `expected` article of the next publish. */
  seen: ExpectedArticle | null;
  /** Connected destinations for which the text is selected. */
  preflights: DestinationPreview[];
  /** Destinations that the text names although they are not connected. */
  unconnectedDestinations: string[];
}

export interface DestinationPreview extends Preflight {
  destination: DestinationKey;
  /** Aspects of the copy that cannot be changed or withdrawn later. */
  permanentNotices: Notice[];
}

/** Throws `DocumentsBusyError` if no thread is free in time. */
export async function previewText(
  { config, db, documents, now }: WriteDeps,
  authorId: string,
  form: WriteForm,
): Promise<TextPreview> {
  const { baseUrl } = config;
  const { content, fileName, where, articleId } = form;
  const platforms = await findPlatforms({ db }, authorId);
  const preflightRequest = where === 'here' ? undefined : buildPreflightRequest(platforms, baseUrl);
  const task = {
    input: { content, fileName: fileName ?? undefined, now: now() },
    options: { siteOrigin: baseUrl },
    crossPost: chooseDestinations(form, platforms),
    preflightRequest,
  };
  const read = await documents.preview(authorId, task).catch((error: unknown) => {
    if (!(error instanceof TooComplexError)) throw error;
    const { message, line } = error;
    return { ok: false as const, problems: [{ path: 'content', message, ...(line && { line }) }], warnings: [] };
  });
  if (!read.ok) return { problems: read.problems, warnings: read.warnings, article: null };
  const { rendered, preflights } = read;
  const draft = { ...read.draft, externalId: read.draft.externalId ?? articleId };
  const matchedArticle = await findMatchedArticle(db, { authorId, draft, documentSource: null, baseUrl });
  const isKnown = form.seen !== undefined && form.seen?.id === matchedArticle?.id;
  const isChangedElsewhere = isKnown && form.seen?.fingerprint !== matchedArticle?.fingerprint;
  const { title, subtitle, coverImage, status, scheduledAt, crossPostNamed } = draft;
  return {
    problems: [],
    warnings: read.warnings,
    article: {
      ...{ title, subtitle, coverImage, status, scheduledAt, rendered, matchedArticle, isChangedElsewhere },
      seen: isKnown ? (form.seen ?? null) : matchedArticle,
      preflights: preflights.map((found) => ({
        ...found,
        destination: findKey(found.platform),
        permanentNotices: listPermanentEffects(found.platform),
      })),
      unconnectedDestinations:
        where === 'here' ? [] : crossPostNamed.filter((key) => !(key in platforms)).map((key) => nameDestination(key)),
    },
  };
}

export async function findPlatforms({ db }: Pick<WriteDeps, 'db'>, authorId: string): Promise<ConnectedPlatforms> {
  const connections = await listConnections(db, authorId);
  return Object.fromEntries(connections.map(({ destination, platform }) => [destination, platform]));
}

/** Returns the form's choice for connected destinations. For others, the document decides. */
export function chooseDestinations(
  { where, destinations }: Pick<WriteForm, 'where' | 'destinations'>,
  platforms: ConnectedPlatforms,
): Partial<Record<DestinationKey, boolean>> {
  if (where !== 'chosen') return {};
  const connected = DESTINATION_KEYS.filter((key) => key in platforms);
  return Object.fromEntries(connected.map((key) => [key, destinations.includes(key)]));
}

/** Lists the positions that the editor marks in the text. Lines and columns count from 1. */
export function listMarks({ problems, warnings, article }: TextPreview) {
  const losses = (article?.preflights ?? []).flatMap(({ losses, refusal }) =>
    refusal ? [refusal, ...losses] : losses,
  );
  return Object.entries({ error: problems, warning: warnings, loss: losses }).flatMap(([kind, notices]) =>
    notices.flatMap(({ message, line, column = 1 }) => (line === undefined ? [] : [{ line, column, kind, message }])),
  );
}

/** An editor that pauses for 350 ms before each preview sends at most 171. */
const MAX_PREVIEWS_PER_MINUTE = 180;

/** Throws a `ProblemError` (429) above the limit. */
export async function countPreview({ db }: Pick<WriteDeps, 'db'>, { userId }: Viewer): Promise<void> {
  const { current, ttl } = await countHit(db, `preview:${userId}`, MINUTE_MS);
  if (current <= MAX_PREVIEWS_PER_MINUTE) return;
  const seconds = Math.max(1, Math.ceil(ttl / 1_000));
  const detail = `The preview reached its limit of ${MAX_PREVIEWS_PER_MINUTE} refreshes a minute. Your text is not lost; the preview continues in ${seconds} s.`;
  throw createRateLimitProblem(detail, seconds);
}
