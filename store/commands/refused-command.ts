/** The error of an author's command that was rejected and changed nothing. */

import type { RejectionCode } from '../../delivery/delivery-codes.ts';
import type { RefusalCode } from './refusal-codes.ts';

/** `code` is stable, `message` contains the next step, `field` names the invalid argument. */
export class RefusedCommandError extends Error {
  override name = 'RefusedCommandError';
  readonly code: RefusalCode | Uppercase<RejectionCode>;
  readonly field: string | undefined;

  constructor(code: RefusalCode | Uppercase<RejectionCode>, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** A suspended author may withdraw, but not publish. */
export function createSuspendedError(): RefusedCommandError {
  return new RefusedCommandError('SUSPENDED', 'This account is suspended and cannot publish. Write to the operator.');
}

/** For work that began before the account was deleted. */
export function createAccountDeletedError(): RefusedCommandError {
  return new RefusedCommandError('UNAUTHENTICATED', 'This account no longer exists. Nothing was changed.');
}
