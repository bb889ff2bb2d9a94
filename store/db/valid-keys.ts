/**
 * Checks keys before a query. PostgreSQL raises an error for invalid ones; here they are "not
 * found".
 */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be the id of a row. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Whether part of an address can be a slug, a user name or a week. */
export function isStorableName(text: string): boolean {
  return text.length <= 200 && isStorableLine(text);
}

/**
 * Whether a row may hold this single-line text. PostgreSQL rejects NUL and lone surrogates; our
 * lines contain no other control characters.
 */
export function isStorableLine(text: string): boolean {
  return !/\p{Cc}/u.test(text) && text.isWellFormed();
}
