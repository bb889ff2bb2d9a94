/** Table types for the code: the generated ones, narrowed by each column's check or JSON shape. */
import type { ColumnType, Generated } from 'kysely';
import type { ImageType } from '../../article/images/image-types.ts';
import type { Cursor, ImportAddress, ImportSource, SourceNotice } from '../../article/import/import-address.ts';
import type { SourcePost } from '../../article/import/source-post.ts';
import type { ArticleStatus, DerivedArticle, DestinationKey, Notice, RenderedArticle } from '../../article/types.ts';
import type {
  AttemptOutcome,
  ConnectionStatus,
  DeliveryAction,
  DeliveryState,
  DestinationAnswer,
  Presence,
} from '../../delivery/types.ts';
import type { NotificationPayload, NotificationType } from '../notifications/types.ts';
import type * as generated from './generated-types.ts';

export type DigestFrequency = 'daily' | 'weekly' | 'monthly' | 'off';
/** A reader's reaction to an article. */
export type ReactionKind = 'like' | 'love' | 'insightful' | 'celebrate';
export type MailState = 'pending' | 'sending' | 'sent' | 'skipped' | 'refused' | 'failed' | 'unknown';
export type DigestState = MailState;
/** Mails caused by an event in an account; `mail/account/account-mails.ts` writes each. */
export type MailKind =
  | 'confirm_email'
  | 'reset_password'
  | 'password_changed'
  | 'account_replaced'
  | 'confirm_subscription';
/** The purpose of a link in a mail: the kind of that mail. */
export type LinkPurpose = Exclude<MailKind, 'password_changed' | 'account_replaced'>;

export type ImportState = 'running' | 'done' | 'failed' | 'cancelled';
/** `present`: the article already exists and stays unchanged. */
export type ImportOutcome = 'created' | 'present' | 'refused';
/** Whether pictures stay at their addresses or are copied here. */
export type ImportImages = 'keep' | 'copy';

/** Written as text, since `pg` would send an array as a PostgreSQL array. */
type Json<T> = ColumnType<T, string, string>;
/** A calendar day without a zone, such as `2026-11-23`. */
type Day = ColumnType<string, string, string>;
type Refine<Table, Columns> = Omit<Table, keyof Columns> & Columns;

interface Refined {
  images: Refine<generated.Images, { type: ImageType }>;
  articles: Refine<
    generated.Articles,
    {
      status: ArticleStatus;
      crossPost: Json<Record<DestinationKey, boolean>>;
      derived: Json<RenderedArticle | DerivedArticle>;
      abstract: ColumnType<string | null, never, never>;
      topicSignals: ColumnType<string[] | null, never, never>;
    }
  >;
  connections: Refine<generated.Connections, { destination: DestinationKey; status: Generated<ConnectionStatus> }>;
  accounts: Refine<generated.Accounts, { destination: DestinationKey }>;
  connectionCommands: Refine<generated.ConnectionCommands, { destination: DestinationKey }>;
  deliveries: Refine<generated.Deliveries, { destination: DestinationKey }>;
  copies: Refine<generated.Copies, { presence: Presence }>;
  deliveryStates: Refine<
    generated.DeliveryStates,
    {
      articleId: string;
      authorId: string;
      destination: DestinationKey;
      status: ArticleStatus;
      dispatch: number;
      revision: number;
      imported: boolean;
      isSelected: boolean;
      shouldBeDelivered: boolean;
      shouldBeWithdrawn: boolean;
      hasLiveCopy: boolean;
      needsAuthor: boolean;
      presence: Presence;
      state: DeliveryState;
      connectionStatus: ConnectionStatus | null;
      openAction: DeliveryAction | null;
      openAnswer: ColumnType<DestinationAnswer | null, never, never>;
      lastOutcome: AttemptOutcome | null;
    }
  >;
  deliveryAttempts: Refine<
    generated.DeliveryAttempts,
    {
      action: DeliveryAction;
      outcome: AttemptOutcome | null;
      lookUp: Json<LookUpKeys>;
      payload: ColumnType<unknown, string | null, string | null>;
      answer: ColumnType<DestinationAnswer | null, string | null, string | null>;
    }
  >;
  outbox: Refine<generated.Outbox, { destination: DestinationKey | null }>;
  mailLinks: Refine<generated.MailLinks, { purpose: LinkPurpose }>;
  mails: Refine<generated.Mails, { kind: MailKind; state: Generated<MailState> }>;
  notifications: Refine<generated.Notifications, { type: NotificationType; payload: Json<NotificationPayload> }>;
  idempotencyKeys: Refine<
    generated.IdempotencyKeys,
    { response: ColumnType<StoredResponse | null, string | null, string | null> }
  >;
  articleDays: Refine<generated.ArticleDays, { day: Day }>;
  articleDayHosts: Refine<generated.ArticleDayHosts, { day: Day }>;
  articleMonths: Refine<generated.ArticleMonths, { month: Day }>;
  authorDays: Refine<generated.AuthorDays, { day: Day }>;
  authorDayHosts: Refine<generated.AuthorDayHosts, { day: Day }>;
  readingSalts: Refine<generated.ReadingSalts, { day: Day }>;
  readingVisitors: Refine<generated.ReadingVisitors, { day: Day }>;
  // A trigger sets the path of every comment.
  comments: Refine<generated.Comments, { path: Generated<Buffer> }>;
  reactions: Refine<generated.Reactions, { kind: Generated<ReactionKind> }>;
  notificationPreferences: Refine<generated.NotificationPreferences, { type: NotificationType }>;
  digestSettings: Refine<generated.DigestSettings, { frequency: Generated<DigestFrequency> }>;
  digests: Refine<
    generated.Digests,
    { date: Day; state: Generated<DigestState>; frequency: Exclude<DigestFrequency, 'off'> }
  >;
  imports: Refine<
    generated.Imports,
    {
      source: ImportSource;
      place: Json<ImportAddress>;
      images: ImportImages;
      state: Generated<ImportState>;
      cursor: ColumnType<Cursor | null, string | null, string | null>;
      notices: ColumnType<SourceNotice[], string | undefined, string>;
    }
  >;
  importItems: Refine<
    generated.ImportItems,
    {
      post: ColumnType<SourcePost | null, string | null, string | null>;
      outcome: ImportOutcome | null;
      warnings: ColumnType<Notice[], string | undefined, string>;
    }
  >;
  roundups: Refine<generated.Roundups, { state: 'published' | 'empty' }>;
}

export type DB = Refine<generated.DB, Refined>;

/** Keys, as of the attempt, to find a copy that it may have created. */
export interface LookUpKeys {
  canonicalUrl: string;
  slug: string;
  title: string;
}

/** The response stored under an `Idempotency-Key`. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}
