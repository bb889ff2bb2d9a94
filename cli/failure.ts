/** How a command ends when it does not succeed: a sentence for a person, details, and the exit code for a script. */
import type { Problem } from '../article/types.ts';

/** Documented in `--help` and docs/cli.md; scripts rely on them. */
export const EXIT = { ok: 0, failed: 1, invalid: 2, interrupted: 130, terminated: 143 } as const;

export interface FailureDetails {
  /** Every problem of the document, or of the request as the server sees it. */
  problems?: Problem[];
  /** The file that lines and columns of `problems` are of. */
  file?: string;
  /** Further lines for a person: what to do next. */
  hints?: string[];
  /** What the server said of itself: for `--json` and for a report to its operator. */
  server?: { status: number; code?: string | undefined; requestId?: string | undefined };
  cause?: unknown;
}

/** The command line or the document is wrong (2), or the operation did not succeed (1). */
export class Failure extends Error {
  readonly exitCode: 1 | 2;
  readonly problems: Problem[];
  readonly file: string | undefined;
  readonly hints: string[];
  readonly server: FailureDetails['server'];

  constructor(exitCode: 1 | 2, message: string, details: FailureDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Failure';
    this.exitCode = exitCode;
    this.problems = details.problems ?? [];
    this.file = details.file;
    this.hints = details.hints ?? [];
    this.server = details.server;
  }
}

/** The command line or the document is at fault: trying again changes nothing. */
export function invalid(message: string, details?: FailureDetails): Failure {
  return new Failure(EXIT.invalid, message, details);
}

/** Network, server, authentication or the machine: the document may be fine. */
export function failed(message: string, details?: FailureDetails): Failure {
  return new Failure(EXIT.failed, message, details);
}

/** A signal ended the command; the exit code is the shell's own for that signal. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(signal === 'SIGINT' ? 'Interrupted.' : 'Terminated.');
    this.name = 'Interrupted';
    this.exitCode = signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
  }
}

/** The `code` of a system error (`ENOENT`), of the error itself or of what caused it; else undefined. */
export function systemCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 4; current = current.cause, depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    // Happy Eyeballs: one error for every address tried; the first says as much as all.
    if (current instanceof AggregateError && current.errors.length > 0) return systemCode(current.errors[0]);
  }
  return undefined;
}
