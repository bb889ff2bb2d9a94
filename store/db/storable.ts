/**
 * Makes untrusted text storable: PostgreSQL rejects NUL in text and JSON, and lone surrogates in
 * JSON.
 */

/**
 * Replaces those characters by U+FFFD. Works on the values: in serialised JSON, an escape looks
 * like a text that contains the same characters.
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
