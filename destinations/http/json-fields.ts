/** Looking into JSON that a platform sent, which may be anything. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

/** Undefined where it is no object, or has no such field. */
export function field(json: unknown, name: string): unknown {
  return isObject(json) ? json[name] : undefined;
}
