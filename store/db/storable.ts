/**
 * Makes foreign text storable: PostgreSQL rejects NUL in text and JSON, and lone surrogates in
 * JSON.
 */

/**
 * Replaces those characters by U+FFFD. Works on the values, because in serialised JSON a text about
 * the escape looks like the escape.
 */
export function toStorable<T>(value: T): T {
  return replace(value) as T;
}

function replace(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (Array.isArray(value)) return value.map(replace);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replace(part)]));
}
