/** Failures of commands: a message, details, and the exit code. */
import type { Problem } from '../article/types.ts';

/** Documented in `--help` and docs/reference/cli.md; scripts rely on them. */
export const EXIT = { ok: 0, failed: 1, invalid: 2, interrupted: 130, terminated: 143 } as const;

export interface FailureDetails {
  /** Every problem of the document, or of the request as reported by the server. */
  problems?: Problem[];
  /** The file to which the lines and columns of `problems` refer. */
  file?: string;
  /** The text of that file, for excerpts. */
  text?: string;
  /** Further lines: what to do next. */
  hints?: string[];
  /** Details of the server's response, for `--json` and reports to its operator. */
  server?: { status: number; code?: string | undefined; requestId?: string | undefined };
  cause?: unknown;
}

/**
 * Exit code 2: the command line or document is wrong. Exit code 1: the operation did not succeed.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: 1 | 2;
  readonly details: FailureDetails & Required<Pick<FailureDetails, 'problems' | 'hints'>>;

  constructor(exitCode: 1 | 2, message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause });
    this.exitCode = exitCode;
    this.details = { problems: [], hints: [], ...details };
  }
}

/** A failure of the command line or document, which a retry does not change. */
export function createInputFailure(message: string, details?: FailureDetails): Failure {
  return new Failure(EXIT.invalid, message, details);
}

/** A failure of network, server, authentication or machine: the document may be fine. */
export function createFailure(message: string, details?: FailureDetails): Failure {
  return new Failure(EXIT.failed, message, details);
}

/** A signal ended the command. Uses the exit code of shells for that signal. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(signal === 'SIGINT' ? 'Interrupted.' : 'Terminated.');
    this.exitCode = signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
  }
}

/** A summary of several outcomes that have been reported, also as JSON. */
export class ReportedFailure extends Failure {}

/**
 * Returns the `code` of a system error (`ENOENT`), from the error or its causes; else undefined.
 */
export function readSystemCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 4; current = current.cause, depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    // Happy Eyeballs returns one error per address; the first is representative.
    if (current instanceof AggregateError && current.errors.length > 0) return readSystemCode(current.errors[0]);
  }
  return undefined;
}

export function describeOutputError(error: Error): string {
  return `error: The output cannot be written (${readSystemCode(error) ?? 'error'}).`;
}

/** For `catch`: returns null if there is no such file, and rethrows other errors. */
export function ignoreAbsent(error: unknown): null {
  if (['ENOENT', 'ENOTDIR'].includes(readSystemCode(error) ?? '')) return null;
  throw error;
}
