/** Checks keys before a query: PostgreSQL raises an error for invalid ones. */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be the id of a row. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Whether part of an address can be a slug, a user name or a week. */
export function isStorableName(text: string): boolean {
  return text.length <= 200 && isStorableLine(text);
}

/** PostgreSQL rejects NUL and lone surrogates; our lines contain no other control characters. */
export function isStorableLine(text: string): boolean {
  return !/\p{Cc}/u.test(text) && text.isWellFormed();
}

/** Replaces those characters by U+FFFD in values; in serialised JSON they look like their escapes. */
export function toStorable<T>(value: T): T {
  return replace(value) as T;
}

function replace(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (Array.isArray(value)) return value.map(replace);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replace(part)]));
}
