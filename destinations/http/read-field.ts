/** Looking into JSON that a platform sent, which may be anything. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

/** What stands at the end of a path of names; undefined where the path leads nowhere. */
export function readField(json: unknown, ...path: string[]): unknown {
  let current = json;
  for (const name of path) current = isObject(current) ? current[name] : undefined;
  return current;
}

/** As `readField`; null where it is no text. */
export function readText(json: unknown, ...path: string[]): string | null {
  const value = readField(json, ...path);
  return typeof value === 'string' ? value : null;
}
