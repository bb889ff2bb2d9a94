/**
 * The types of a delivery: what is known when its next step is decided (`Situation`), what is due (`Step`), an attempt under way
 * (`Attempt`), what comes back (`Event`) and what is to be done about it (`Effect`).
 */
import type { ArticleStatus } from '../article/types.ts';
import type { Failure, Limits, RemotePost } from '../destinations/types.ts';
import type { RetryState } from './retry-state.ts';

export type DeliveryState = 'pending' | 'delivering' | 'delivered' | 'stale' | 'failed' | 'unknown' | 'held';
export type DeliveryAction = 'create' | 'update' | 'withdraw';
/** Of a copy. `uncertain`: an unanswered create or update may have made it live. */
export type Presence = 'absent' | 'live' | 'hidden' | 'deleted' | 'uncertain';
export type ConnectionStatus = 'active' | 'unauthorised';

/** How an attempt ended. `void`: superseded, its effect no longer matters. */
export type AttemptOutcome =
  | 'delivered'
  | 'adopted'
  | 'absent'
  | 'withdrawn'
  | 'failed'
  | 'retried'
  | 'settled'
  | 'void';

/** What the rows say about one article at one destination, read at one moment. */
export interface Situation {
  article: {
    status: ArticleStatus;
    /** Counts the accepted publish requests of the article. */
    dispatch: number;
    /** From SQL `is_selected`: `cross_post` is set, not `syndicationMode: "local"`, not imported. */
    selected: boolean;
    /** Imported, and not published by its author since: what stands elsewhere is the original. */
    imported: boolean;
    /** Its body is not empty. */
    eligible: boolean;
    isSuspended: boolean;
    /** Hash of what the destination is given. */
    hash: string;
    /** Since the article was first stored. */
    ageMs: number;
  };
  /** Null where the destination is not connected. */
  connection: {
    id: string;
    accountId: string;
    platform: string;
    status: ConnectionStatus;
    version: number;
  } | null;
  delivery: {
    id: string;
    /** A decision is written only where it is still the same. */
    version: number;
    /** Of the current copy at the account that is connected, or was connected last. */
    presence: Presence;
    /** Readers find it, or may: it is live, or uncertain with a known post. */
    hasLiveCopy: boolean;
    remoteId: string | null;
    remoteUrl: string | null;
    /** Of what the copy carries; null where that is not known. */
    contentHash: string | null;
    /** The last publish that was answered with an outcome. */
    handledDispatch: number;
    /** The last publish that the author skipped here. */
    skippedDispatch: number;
    /** The author requested the withdrawal of the copy, whatever the article's state. */
    withdrawRequested: boolean;
    /** The last attempt at this account failed, with this code; null where it did not. */
    failedWith: string | null;
    /** The author requested an update although the copy was changed by hand. */
    overwrite: boolean;
    /** The attempt whose outcome is open, at the account that is connected; null where there is none. */
    inFlight: InFlight | null;
    /** Attempts that nobody answered, newest first: each may still arrive for a while. */
    unanswered: Unanswered[];
    /** A create was attempted before, at this account or at another one. */
    wasAttempted: boolean;
    /** The ledger was restored from a backup once: what it does not know may be there nevertheless. */
    wasRestored: boolean;
  };
}

/** An attempt that was marked and whose outcome is not decided yet. */
export interface InFlight {
  id: string;
  action: DeliveryAction;
  dispatch: number;
  /** Since it was last sent (marked, or sent once more), by the database's clock. */
  forMs: number;
  /** Since the destination answered; null where it has not. */
  answeredForMs: number | null;
  /** What the destination answered; null where the activity has not written it, or was lost. */
  answer: DestinationAnswer | null;
  /** The publish of which the unknown outcome was reported to the author; null if none was, or a command followed. */
  unknownDispatch: number | null;
  /** Its payload is stored, and was not sent again yet. */
  canRepeat: boolean;
}

/** An update or a withdrawal of unknown outcome. */
export interface Unanswered {
  action: DeliveryAction;
  hash: string;
  forMs: number;
}

/** What the rules need to know of a platform. */
export interface PlatformRules {
  /** Shown to authors: "DEV / Forem". */
  label: string;
  limits: Pick<Limits, 'readLagMs' | 'canFind' | 'canUpdate' | 'withdraw' | 'repeat'>;
}

export type Step = Rest | AttemptStep;

/** Nothing is to be sent. `write` is what the row has to say about it; null where it says so already. */
export interface Rest {
  kind: 'rest';
  outcome: 'delivered' | 'nothing' | 'held';
  why: string;
  write: 'upToDate' | 'unchangeable' | null;
  /** The delivery stays due until a connection is made or a suspension ends. */
  staysDue: boolean;
}

/** Something is to be sent, found out or refused. */
export type AttemptStep = StepTarget &
  (
    | { kind: 'update' }
    /** `lateUpdateInMs`: so long an earlier update may still arrive, and bring the copy back. */
    | { kind: 'withdraw'; lateUpdateInMs: number }
    /** `lookFirst`: a post may be there that the ledger does not know. */
    | { kind: 'create'; lookFirst: boolean }
    /** The destination answered an attempt, and what that means was not recorded. */
    | { kind: 'resolve'; action: DeliveryAction; answer: DestinationAnswer; lateUpdateInMs: number }
    /** An earlier attempt may still arrive; what it would undo or double waits for so long. */
    | { kind: 'settle'; settleInMs: number }
    /** What is due could not be found out: a bug of ours, or a row that nobody expected. */
    | { kind: 'broken'; problem: string }
    /** A create was begun and its outcome is not known. */
    | {
        kind: 'reconcile';
        /** Once this is 0 or less, the attempt cannot arrive any more, and a look-up that finds nothing is proof. */
        settleInMs: number;
        /** Where the platform cannot be asked: how long until the same request may be sent once more; null where it may not. */
        repeatInMs: number | null;
      }
    /** Cannot be done here at all. `unsettled`: a create is marked whose outcome is not known. */
    | { kind: 'refuse'; code: string; reason: string; unsettled: boolean }
  );

/** The versions that a plan has read. A decision is written only if both still match. */
export interface Decided {
  deliveryId: string;
  version: number;
  dispatch: number;
  /** Null where the destination was disconnected after it answered. */
  connectionId: string | null;
  connectionVersion: number;
}

interface StepTarget extends Decided {
  /** The attempt whose outcome is open; null where there is none. */
  attemptId: string | null;
  readLagMs: number;
  canFind: boolean;
}

/** A step under way: what its workflow waits for, and what has gone wrong since the last progress. */
export interface Attempt {
  step: AttemptStep;
  phase: Phase;
  retry: RetryState;
}

/** What an attempt waits for. */
export type Phase =
  | { kind: 'plan' | 'send' | 'repeat' | 'look' }
  /** A refusal that may have saved the post: a pause for the read lag, then a look. */
  | { kind: 'pauseBeforeLook' | 'lookBehindRefusal'; refusal: Refusal }
  /** A refused credential: written down, a pause, a probe, and its end written down. */
  | { kind: 'recordBeforeProbe' | 'pauseBeforeProbe' | 'probe' | 'recordUnauthorised'; refused: RefusedCredential }
  /** The account is being blocked after a 429; the retry follows. */
  | { kind: 'block'; retry: Retry }
  | { kind: 'recordDelivered' }
  /** Something is being written down, and `then` follows. */
  | { kind: 'record'; then: Effect };

export interface Refusal {
  code: string;
  reason: string;
}

/** `stillInFlight`: it was a look-up that was refused, which says nothing of the create it was about. */
export interface RefusedCredential {
  reason: string;
  stillInFlight: boolean;
}

export interface Retry extends Refusal {
  /** A create may have happened. */
  stillInFlight?: boolean;
  /** No sooner than this, whatever the back-off says. */
  atLeastMs?: number;
}

/** What an effect brought. */
export type Event =
  /** The reserved rate slot is so far ahead; 0 where it is now, or none is needed. */
  | { kind: 'planned'; slotInMs: number }
  | { kind: 'sent'; outcome: SendOutcome }
  | { kind: 'looked'; outcome: LookUpOutcome }
  | { kind: 'probed'; isRefused: boolean }
  /** False if the versions no longer match, or a newer revision is due: it is planned again. */
  | { kind: 'recorded'; isCurrent: boolean }
  | { kind: 'blocked' | 'paused' };

/** What is to be done next. Data only: the workflow carries it out. */
export type Effect =
  | { kind: 'send'; action: DeliveryAction }
  /** The very same request once more, at a platform that recognises it. */
  | { kind: 'repeat' }
  | { kind: 'look' }
  | { kind: 'probe' }
  | { kind: 'record'; record: Ending }
  /** No delivery over this connection is sent for so long. */
  | { kind: 'block'; forMs: number }
  /** Sleeps, and nothing shortens it. */
  | { kind: 'pause'; forMs: number }
  /** Plans again after so long. A command of the author shortens the wait, but not that for a rate slot. */
  | { kind: 'replan'; afterMs: number; why: string; forSlot: boolean }
  | End;

export interface End {
  kind: 'end';
  outcome: 'delivered' | 'withdrawn' | 'failed' | 'held' | 'unknown';
  why: string;
}

/** How an attempt ended, as the ledger keeps it. */
export type Ending =
  | { kind: 'delivered' | 'adopted'; remote: RemotePost }
  /** A look-up proved that the create made nothing. */
  | { kind: 'absent' }
  /** `mayReturn`: an earlier update may still bring it back; it is withdrawn once more then. */
  | { kind: 'withdrawn'; deleted: boolean; mayReturn: boolean }
  | ({ kind: 'retry'; afterMs: number; stillInFlight: boolean } & Refusal)
  /** `unknown`: a post may be out there, and nothing can find it. */
  | ({ kind: 'failed'; state: 'failed' | 'unknown' } & Refusal)
  | ({ kind: 'unauthorised' } & RefusedCredential);

/** Something else is due by now (edited, disconnected); nothing was sent. */
export interface Changed {
  kind: 'changed';
}

export type SendOutcome =
  | (DestinationAnswer & Sent & Recorded)
  /** A look before the create found the post: nothing was sent. */
  | { kind: 'found'; remote: RemotePost }
  /** Before anything was marked or sent: refused, or what a post needs could not be made ready. */
  | KnownFailure
  | Changed
  /** The account's rate limit is used up; nothing was sent. */
  | { kind: 'blocked'; forMs: number }
  /** The worker was lost in the middle. */
  | { kind: 'lost'; reason: string };

/** How a destination answered what was sent. `remote` is null after a withdrawal; `deleted`: the post is gone for good then, and is not only hidden. */
export type DestinationAnswer = { kind: 'done'; remote: RemotePost | null; deleted?: boolean } | KnownFailure;

/** What was sent: the attempt, the version of the delivery since its mark, and the publish request that it carried. */
export interface Sent {
  attemptId: string;
  version: number;
  dispatch: number;
}

/** Set where the activity that was answered has recorded the delivery by itself; `upToDate` as with `recorded` events. */
interface Recorded {
  recorded?: { upToDate: boolean };
}

/** `value: null`: the destination does not list the post now, or it belongs to another article of this author. */
export type LookUpOutcome = { kind: 'done'; value: RemotePost | null } | Changed | KnownFailure;

/** `isBlocked`: the account is blocked already, and `retryAfterMs` is when this delivery's own slot comes behind the block. */
type KnownFailure = Exclude<Failure, RateLimited> | (RateLimited & { isBlocked?: boolean });

type RateLimited = Extract<Failure, { kind: 'rateLimited' }>;
