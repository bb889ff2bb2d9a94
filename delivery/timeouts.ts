/**
 * Every time limit on the way of a delivery, in milliseconds, each with its reason. Where one limit must exceed another, its line says so
 * and a test checks it.
 */
export const TIMEOUTS = {
  /** One HTTP exchange with a destination, headers to last byte. A destination that has not answered by then is looked up instead. */
  httpMs: 15_000,
  /** Between the mark in the ledger and the first byte on the wire. With `httpMs` and the platform's read lag it makes the settle time. */
  startSendingMs: 4_000,
  /** An activity that lost this much between its mark and its call was stopped, and its attempt may be looked up by now; below `startSendingMs`. */
  staleMarkMs: 3_000,

  heartbeatEveryMs: 1_500,
  /** How often the SDK passes one on; left to itself it does so once in 80 % of `heartbeatMs`, which leaves little for a busy machine. */
  heartbeatPassedOnMs: 4_000,
  /**
   * A proxy may hand on a request that we have given up on. What nobody answered is taken for impossible only so long after our own limits;
   * after an answer of the platform itself, its read lag is enough.
   */
  lateArrivalMs: 90_000,
  /** The first create of an article that is older than this looks for the post before: the ledger may come from a backup. */
  freshMs: 5 * 60_000,

  /**
   * Heartbeats tell a killed worker from a slow destination. A busy worker may miss several: what the destination answers is in the row whatever
   * Temporal believes, so an early alarm gains seconds after a crash, and a false one costs a look-up.
   */
  heartbeatMs: 20_000,
  /** How long a plan that is to be sent at once waits behind other deliveries' calls; after that its workflow plans by itself. */
  planQueuedMs: 10_000,
  /**
   * One call to the outside, and its plan where both are one activity. A large article is formatted (30 s with its wait), a cover fetched and stored, terms looked up (20 s), and
   * the post itself looked at before it is changed (two exchanges of `httpMs`).
   */
  callMs: 100_000,
  /** How long an activity tries to write down what a destination answered, and how often; the workflow hears of it all the same. */
  keepAnswerMs: 10_000,
  keepAnswerPauseMs: 500,
  /**
   * How long running activities get to end after a signal to stop: more than one exchange and its start. What has not begun to send by then is
   * given up; what has is not cut.
   */
  shutdownGraceMs: 20_000,
  /**
   * After so long a worker that was asked to stop ends whatever it does. Above the grace and what a call that began at its very end may take:
   * its start, a look and a write, and writing down the answer.
   */
  stopMs: 70_000,

  /** Short database work within a workflow task. */
  localActivityMs: 10_000,
  /** A longer pause between its retries becomes a timer, so that an hour without a database does not fill the history. */
  localRetryMs: 2_000,
  /** The longest pause between them: 2,880 a day, which a history can hold for days, and a short wait after the database is back. */
  longestLocalRetryMs: 30_000,
  /** A statement that hangs must not hold a connection for ever: the server ends it … */
  statementMs: 12_000,
  /** … and a server that does not answer at all (half-open, stopped) is given up on here; above `statementMs`. */
  queryMs: 14_000,
  /** A process that is frozen, or cut off, in the middle of a transaction gives its locks back; above what any pause of a busy process takes. */
  idleInTransactionMs: 15_000,

  /** A refused key may be one that was just made: platforms take a moment to learn of it before it is probed. */
  probeAfterMs: 10_000,
  /** The pause after a 429 that names no time. */
  rateLimitMs: 60_000,
  /** Forem refuses a title that was used within five minutes. */
  titleRuleMs: 5 * 60_000 + 5_000,
  /** The longest that a destination's `Retry-After` makes a delivery wait at once. */
  longestWaitMs: 24 * 60 * 60_000,
} as const;

/** What the rules need; the first and the last are dependencies of the worker, shorter in tests. */
export interface SettleTimeouts {
  httpMs: number;
  startSendingMs: number;
  lateArrivalMs: number;
}
