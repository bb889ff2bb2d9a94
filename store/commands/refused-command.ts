/** An author's command that was not carried out, and changed nothing. */

/** `code` is stable, `message` tells the author what to do instead, `field` names the argument that is wrong where one is. */
export class RefusedCommandError extends Error {
  override name = 'RefusedCommandError';
  readonly code: string;
  readonly field: string | undefined;

  constructor(code: string, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** A suspended author may take back, and make nothing public. */
export function createSuspendedError(): RefusedCommandError {
  return new RefusedCommandError('SUSPENDED', 'This account is suspended and cannot publish. Write to the operator.');
}

/** For what was begun before the account was deleted. */
export function createAccountGoneError(): RefusedCommandError {
  return new RefusedCommandError('UNAUTHENTICATED', 'This account no longer exists. Nothing was changed.');
}
