/** Reads fields of JSON that a platform sent, which may be anything. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

/** The value at the end of a path of names. Undefined if the path does not exist. */
export function readField(json: unknown, ...path: string[]): unknown {
  let current = json;
  for (const name of path) current = isObject(current) ? current[name] : undefined;
  return current;
}

/** Like `readField`; null if the value is not a string. */
export function readText(json: unknown, ...path: string[]): string | null {
  const value = readField(json, ...path);
  return typeof value === 'string' ? value : null;
}
