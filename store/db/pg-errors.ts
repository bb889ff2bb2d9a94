/** What PostgreSQL's errors mean to us. */

/** A unique constraint refused the row; `constraint` names it. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: violated } = error as { code?: string; constraint?: string };
  return code === '23505' && violated === constraint;
}

/**
 * The database cannot be reached or is not taking statements now: connection errors, shutdown and start-up (class 57P),
 * too many connections (53300), disk full (53100), a statement that ran out of time (57014), a deadlock (40P01).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  if (code !== undefined && /^(08...|57P..|53...|57014|25006|40P01)$/.test(code)) return true;
  if (code !== undefined && NETWORK_CODES.has(code)) return true;
  return /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error/.test(
    error.message,
  );
}

/**
 * An established connection broke, or was not answered in time: what was being sent over it may have been done, a commit included. What the
 * server answered itself, or what found no connection at all, was not done.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, severity } = error as { code?: string; severity?: string };
  // Told to stop at once (57P02), the server may die between a commit and its answer.
  if (severity !== undefined) return code === '57P02' || code?.startsWith('08') === true;
  if (code !== undefined) return LOST_CODES.has(code);
  return /Connection terminated(?! due to connection timeout)|Query read timeout/.test(error.message);
}

const LOST_CODES = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);
