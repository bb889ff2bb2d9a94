/** Keys that are worth asking the database for. PostgreSQL refuses the others with an error; checked first, they are an ordinary "not found". */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be the id of a row. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Whether part of an address can be a slug, user name or week. */
export function canBeName(text: string): boolean {
  return text.length <= 200 && canBeStored(text);
}

/** Whether a row may hold this as a line of text: PostgreSQL takes no NUL and no lone surrogate, and no line of ours has other controls. */
export function canBeStored(text: string): boolean {
  return !/\p{Cc}/u.test(text) && text.isWellFormed();
}
