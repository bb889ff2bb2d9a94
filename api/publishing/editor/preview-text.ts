/** Checks a text before a publish: problems, changes, rendering and losses at destinations. */
import { TooComplexError } from '../../../article/errors.ts';
import {
  DESTINATION_KEYS,
  type DestinationKey,
  type Notice,
  type Problem,
  type RenderedArticle,
} from '../../../article/types.ts';
import { listPermanentEffects, type Preflight } from '../../../destinations/format/preflight.ts';
import { nameDestination } from '../../../destinations/name-destination.ts';
import { findKey } from '../../../destinations/platforms.ts';
import type { ExpectedArticle } from '../../../store/articles/publish/expected-article.ts';
import { findMatchedArticle, type MatchedArticle } from '../../../store/articles/publish/find-matched-article.ts';
import { type ConnectedPlatforms, listConnections } from '../../../store/connections/list.ts';
import type { ApiDeps } from '../../deps.ts';
import type { PreviewOutcome } from '../../documents/desk-tasks.ts';
import { buildPreflightRequest } from '../../documents/preflight-request.ts';
import type { WriteForm } from './read-form.ts';

export type WriteDeps = Pick<ApiDeps, 'config' | 'db' | 'documents' | 'log' | 'now'>;

export interface TextPreview {
  /** Reasons why a publish would be rejected. */
  problems: Problem[];
  warnings: Notice[];
  article: PreviewedArticle | null;
}

export interface PreviewedArticle {
  title: string;
  subtitle: string | null;
  coverImage: string | null;
  status: 'DRAFT' | 'PUBLISHED' | 'SCHEDULED';
  scheduledAt: Date | null;
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
  const input = { content, fileName: fileName ?? undefined, now: now() };
  const crossPost = chooseDestinations(form, platforms);
  let outcome: PreviewOutcome;
  try {
    outcome = await documents.preview(authorId, {
      input,
      options: { siteOrigin: baseUrl },
      crossPost,
      preflightRequest,
    });
  } catch (error) {
    if (!(error instanceof TooComplexError)) throw error;
    const { message, line } = error;
    return {
      problems: [{ path: 'content', message, ...(line === undefined ? {} : { line }) }],
      warnings: [],
      article: null,
    };
  }
  const { read, rendered, preflights } = outcome;
  if (!read.ok) return { problems: read.problems, warnings: read.warnings, article: null };
  if (!rendered) throw new Error('a document was read and not rendered');
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
