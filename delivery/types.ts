/**
 * The types of a delivery. A plan maps a `Situation` to a `Step`. An `Attempt` executes a step: it
 * receives an `Event` and returns the next `Effect`.
 */
import type { ArticleStatus } from '../article/types.ts';
import type { Failure, Limits, RemotePost } from '../destinations/types.ts';
import type { DeliveryCode } from './delivery-codes.ts';
import type { RetryState } from './retry-state.ts';

export type DeliveryState = 'pending' | 'delivering' | 'delivered' | 'stale' | 'failed' | 'unknown' | 'held';
export type DeliveryAction = 'create' | 'update' | 'withdraw';
/** Presence of a copy. `uncertain`: an unanswered create or update may have made it live. */
export type Presence = 'absent' | 'live' | 'hidden' | 'deleted' | 'uncertain';
export type ConnectionStatus = 'active' | 'unauthorised';

/** How an attempt ended. `void`: superseded; its effect does not matter. */
export type AttemptOutcome =
  | 'delivered'
  | 'adopted'
  | 'absent'
  | 'withdrawn'
  | 'failed'
  | 'retried'
  | 'settled'
  | 'void';

/** The rows of one article at one destination, read in one snapshot. */
export interface Situation {
  article: {
    status: ArticleStatus;
    /** Counts the accepted publish requests of the article. */
    dispatch: number;
    /** `cross_post` is set, not `syndicationMode: "local"`, not imported. */
    isSelected: boolean;
    /** Imported and not published by its author since: the post at the source is the original. */
    isImported: boolean;
    /** Its body is not empty. */
    isEligible: boolean;
    isSuspended: boolean;
    /** Hash of the content sent to the destination. */
    hash: string;
    /** Milliseconds since the article was first stored. */
    ageMs: number;
  };
  /** Null if the destination is not connected. */
  connection: {
    id: string;
    accountId: string;
    platform: string;
    status: ConnectionStatus;
    version: number;
  } | null;
  delivery: {
    id: string;
    /** A decision is written only if this is unchanged. */
    version: number;
    /** Of the copy at the connected account, or at the account connected last. */
    presence: Presence;
    /** The copy is live, or uncertain with a remote id: readers may find it. */
    hasLiveCopy: boolean;
    remoteId: string | null;
    remoteUrl: string | null;
    /** Hash of the copy's content; null if unknown. */
    contentHash: string | null;
    /** The last dispatch with an outcome. */
    handledDispatch: number;
    /** The last dispatch that the author skipped here. */
    skippedDispatch: number;
    /** The author requested the withdrawal of the copy, independently of the article's status. */
    withdrawRequested: boolean;
    /** Error code of the last attempt at this account; null if it did not fail. */
    failedWith: string | null;
    /** The author requested an update although the copy was edited at the destination. */
    overwrite: boolean;
    /** The open attempt at the connected account; null if there is none. */
    inFlight: InFlight | null;
    /** Unanswered attempts, newest first: each may still arrive for a while. */
    unanswered: UnknownAttempt[];
    /** A create was attempted before, at any account. */
    wasAttempted: boolean;
    /** The ledger was restored from a backup: a post may exist that it does not record. */
    wasRestored: boolean;
  };
}

/** A marked attempt without a recorded outcome. */
export interface InFlight {
  id: string;
  action: DeliveryAction;
  dispatch: number;
  /** Milliseconds since it was last sent (marked or repeated), by the database's clock. */
  sentMsAgo: number;
  /** Milliseconds since the destination answered; null if unanswered. */
  answeredMsAgo: number | null;
  /** Null if its activity has not stored an answer yet, or was lost. */
  answer: DestinationAnswer | null;
  /** The dispatch reported to the author as unknown; null if none was, or a command followed. */
  unknownDispatch: number | null;
  /** The payload is stored and was not sent a second time. */
  canRepeat: boolean;
}

/** An update or a withdrawal of unknown outcome. */
export interface UnknownAttempt {
  action: DeliveryAction;
  hash: string;
  sentMsAgo: number;
}

export interface PlatformRules {
  /** Shown to authors: "DEV". */
  label: string;
  limits: Pick<Limits, 'readLagMs' | 'canFind' | 'canUpdate' | 'withdraw' | 'repeat'>;
}

export type Step = Rest | AttemptStep;

/** Nothing to send. `write`: the state to record; null if the row records it already. */
export interface Rest {
  kind: 'rest';
  outcome: 'delivered' | 'nothing' | 'held';
  reason: string;
  write: 'upToDate' | 'unchangeable' | null;
  /** The delivery stays due until a connection is made or a suspension ends. */
  staysDue: boolean;
}

/** Something to send, to look up or to refuse. */
export type AttemptStep = StepTarget &
  (
    | { kind: 'update' }
    /** `lateUpdateInMs`: for how long an earlier update may still arrive and restore the copy. */
    | { kind: 'withdraw'; lateUpdateInMs: number }
    /** `shouldLookUp`: a post may exist that the ledger does not record. */
    | { kind: 'create'; shouldLookUp: boolean }
    /** The destination answered an attempt, and the outcome was not recorded. */
    | { kind: 'conclude'; action: DeliveryAction; answer: DestinationAnswer; lateUpdateInMs: number }
    /** Waits until an earlier attempt can no longer arrive and conflict with the due step. */
    | { kind: 'wait'; settleInMs: number }
    /** The plan failed: a bug here or an unexpected row. */
    | { kind: 'broken'; problem: string }
    /** A create of unknown outcome. */
    | {
        kind: 'reconcile';
        /** At 0 or less, the create can no longer arrive: a look-up without a result is proof. */
        settleInMs: number;
        /** For platforms without look-up: milliseconds until the repeat; null if not allowed. */
        repeatInMs: number | null;
      }
    /** Not possible at this platform. `unsettled`: a create of unknown outcome is open. */
    | { kind: 'refuse'; code: DeliveryCode; reason: string; isUnsettled: boolean }
  );

/** The versions that a plan read. A decision is written only if both still match. */
export interface PlanVersions {
  deliveryId: string;
  version: number;
  dispatch: number;
  /** Null if the destination was disconnected after it answered. */
  connectionId: string | null;
  connectionVersion: number;
}

interface StepTarget extends PlanVersions {
  /** The open attempt; null if there is none. */
  attemptId: string | null;
  readLagMs: number;
  canFind: boolean;
}

/** A step in execution, with its phase and the failures since the last progress. */
export interface Attempt {
  step: AttemptStep;
  phase: Phase;
  retry: RetryState;
}

/** The event that an attempt waits for. */
export type Phase =
  | { kind: 'plan' | 'send' | 'repeat' | 'lookUp' }
  /** A rejection that may have saved the post: a pause for the read lag, then a look-up. */
  | { kind: 'pauseBeforeLookUp' | 'lookUpAfterRefusal'; refusal: Refusal }
  /** A refused credential: record the retry, pause, probe, record the outcome. */
  | { kind: 'recordBeforeProbe' | 'pauseBeforeProbe' | 'probe' | 'recordUnauthorised'; refused: RefusedCredential }
  /** The account is being blocked after a 429; the retry follows. */
  | { kind: 'block'; retry: Retry }
  | { kind: 'recordDelivered' }
  /** An outcome is being recorded; `then` follows. */
  | { kind: 'record'; then: Effect };

export interface Refusal {
  code: DeliveryCode;
  reason: string;
  retryOnceAfterMs?: number;
}

/** `isUnsettled`: the look-up was refused, so the create's outcome remains unknown. */
export interface RefusedCredential {
  reason: string;
  isUnsettled: boolean;
}

export interface Retry extends Refusal {
  /** A create may have made a post. */
  isUnsettled?: boolean;
  /** Minimum pause, above the back-off. */
  atLeastMs?: number;
}

/** The result of an effect. */
export type Event =
  /** `slotInMs`: until the reserved rate slot; 0 if it is due now or none is needed. */
  | { kind: 'planned'; slotInMs: number }
  | { kind: 'sent'; outcome: SendOutcome }
  | { kind: 'lookedUp'; outcome: LookUpOutcome }
  | { kind: 'probed'; isRefused: boolean }
  /** `isCurrent`: false if the versions changed or a newer revision is due; a new plan follows. */
  | { kind: 'recorded'; isCurrent: boolean }
  | { kind: 'blocked' | 'paused' };

/** The next action. Data only: the workflow executes it. */
export type Effect =
  | { kind: 'send'; action: DeliveryAction }
  /** Sends the identical request again, at a platform that recognises it. */
  | { kind: 'repeat' }
  | { kind: 'lookUp' }
  | { kind: 'probe' }
  | { kind: 'record'; record: RecordedOutcome }
  /** Blocks all deliveries over this connection. */
  | { kind: 'block'; forMs: number }
  /** Sleeps; commands do not shorten it. */
  | { kind: 'pause'; forMs: number }
  /** Plans again after `afterMs`. An author's command shortens the wait, except for a rate slot. */
  | { kind: 'replan'; afterMs: number; reason: string; forSlot: boolean }
  | End;

export interface End {
  kind: 'end';
  outcome: 'delivered' | 'withdrawn' | 'failed' | 'held' | 'unknown';
  reason: string;
}

/** How an attempt ended, as recorded in the ledger. */
export type RecordedOutcome =
  | { kind: 'delivered' | 'adopted'; remote: RemotePost }
  /** A look-up proved that the create made no post. */
  | { kind: 'absent' }
  /** `mayReturn`: an earlier update may still restore the copy, so the withdrawal is repeated. */
  | { kind: 'withdrawn'; deleted: boolean; mayReturn: boolean }
  | ({ kind: 'retry'; afterMs: number; isUnsettled: boolean } & Refusal)
  /** `unknown`: a post may exist that no look-up can find. */
  | ({ kind: 'failed'; state: 'failed' | 'unknown' } & Refusal)
  | ({ kind: 'unauthorised' } & RefusedCredential);

/** Another step is due (edited, disconnected); nothing was sent. */
export interface Changed {
  kind: 'changed';
}

export type SendOutcome =
  | (DestinationAnswer & SentRequest & Recorded)
  /** The look-up before the create found the post; nothing was sent. */
  | { kind: 'found'; remote: RemotePost }
  /** Failed before the mark: rejected, or the preparation failed. */
  | KnownFailure
  | Changed
  /** The account's rate budget is used up; nothing was sent. */
  | { kind: 'blocked'; forMs: number }
  /** The worker was lost during the attempt. */
  | { kind: 'lost'; reason: string };

/**
 * A destination's answer to a sent request. `remote`: null after a withdrawal. `deleted`: the
 * withdrawal deleted the post instead of hiding it.
 */
export type DestinationAnswer = { kind: 'done'; remote: RemotePost | null; deleted?: boolean } | KnownFailure;

/** Identifies a sent request. `version`: of the delivery since the attempt's mark. */
export interface SentRequest {
  attemptId: string;
  version: number;
  dispatch: number;
}

/** Set if the sending activity recorded the delivery. `isCurrent`: as of `recorded` events. */
interface Recorded {
  recorded?: { isCurrent: boolean };
}

/** `value: null`: the post is not listed now, or it belongs to another article of this author. */
export type LookUpOutcome = { kind: 'done'; value: RemotePost | null } | Changed | KnownFailure;

/** `isBlocked`: the account is already blocked; `retryAfterMs` is the delivery's slot after it. */
type KnownFailure = Exclude<Failure, RateLimited> | (RateLimited & { isBlocked?: boolean });

type RateLimited = Extract<Failure, { kind: 'rateLimited' }>;
