/** Strangers' texts as PostgreSQL takes them: it refuses NUL in text and JSON, and half a character (a lone surrogate) in JSON. */

/** Plain data with U+FFFD in their place. In the values and not in their JSON, where a text about the escape looks like the escape. */
export function toStorable<T>(value: T): T {
  return replace(value) as T;
}

function replace(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (Array.isArray(value)) return value.map(replace);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replace(part)]));
}
