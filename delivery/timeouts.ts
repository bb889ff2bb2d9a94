/** All time limits of a delivery in milliseconds. A test checks which must exceed which. */
export const TIMEOUTS = {
  /** One HTTP exchange with a destination, headers to last byte. After it, a look-up follows. */
  httpMs: 15_000,
  /** From the mark in the ledger to the first byte sent; part of the settle time. */
  startSendingMs: 4_000,
  /**
   * An activity that takes longer than this between its mark and its call was suspended. Another
   * activity may already be looking up the attempt. Below `startSendingMs`.
   */
  staleMarkMs: 3_000,

  heartbeatEveryMs: 1_500,
  /**
   * The SDK's heartbeat throttle. Its default, 80 % of `heartbeatMs`, leaves a busy machine little
   * time before the time-out.
   */
  heartbeatThrottleMs: 4_000,
  /**
   * A proxy may forward a request after our time-out. An unanswered request can still arrive for
   * this long after our own limits. After the platform's own answer, its read lag is enough.
   */
  lateArrivalMs: 90_000,
  /** An older article is looked up before its first create: the ledger may come from a backup. */
  freshMs: 5 * 60_000,

  /**
   * Heartbeats distinguish a killed worker from a slow destination; a busy worker may miss several.
   * The activity stores the answer in the row either way, so a false alarm only costs a look-up.
   */
  heartbeatMs: 20_000,
  /** How long `planAndSend` is queued behind other calls; then the workflow runs `planStep`. */
  planQueuedMs: 10_000,
  /**
   * One call activity, including its plan in `planAndSend`. Formatting a large article takes 30 s
   * with queueing; a cover upload and term look-ups 20 s; reading and writing the post 2 ×
   * `httpMs`.
   */
  callMs: 100_000,
  /** How long an activity retries storing an answer; the workflow receives it either way. */
  storeAnswerMs: 10_000,
  storeAnswerPauseMs: 500,
  /**
   * Grace period for running activities after a stop signal, above one exchange and its start. It
   * then cancels activities that have not started to send; it does not interrupt a send.
   */
  shutdownGraceMs: 20_000,
  /**
   * A stopping worker exits after this, even if work still runs. Above the grace period plus a call
   * that starts at its end: its start, a read, a write, and storing the answer.
   */
  stopMs: 70_000,

  /** Short database work within a workflow task. */
  localActivityMs: 10_000,
  /** Longer retry pauses become timers, so that an hour without a database adds little history. */
  localRetryMs: 2_000,
  /** The longest retry pause: 2,880 retries a day, which a history can hold for days. */
  maxLocalRetryMs: 30_000,
  /** The server ends a hanging statement, so that it does not hold its connection forever. */
  statementMs: 12_000,
  /** The client gives up on a server that does not respond at all; above `statementMs`. */
  queryMs: 14_000,
  /** Releases the locks of a frozen or disconnected process; above any pause of a busy process. */
  idleInTransactionMs: 15_000,

  /** Platforms need a moment to accept a new key, so a refused one is probed again after this. */
  probeAfterMs: 10_000,
  /** The pause after a 429 without `Retry-After`. */
  rateLimitMs: 60_000,
  /** The upper limit for a destination's `Retry-After`. */
  maxRetryAfterMs: 24 * 60 * 60_000,
} as const;

/** The limits that `nextStep` needs. Tests shorten `httpMs` and `lateArrivalMs`. */
export interface SettleTimeouts {
  httpMs: number;
  startSendingMs: number;
  lateArrivalMs: number;
}
