/** Classifies errors of PostgreSQL and of its driver. */

/** Whether the unique constraint `constraint` rejected the row. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: violated } = error as { code?: string; constraint?: string };
  return code === '23505' && violated === constraint;
}

/**
 * The database is unreachable or rejects statements: connection errors, shutdown and start-up
 * (class 57P), too many connections (53300), disk full (53100), a statement time-out (57014), a
 * deadlock (40P01).
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

/** A connection broke or timed out, so its statements may have run, a commit included. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, severity } = error as { code?: string; severity?: string };
  // On an immediate shutdown (57P02) the server may stop between a commit and its response.
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
