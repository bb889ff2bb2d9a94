/** Builds WordPress's responses: errors with a code, objects with the requested fields. */
import type { Json, SandboxResponse } from '../exchange.ts';

export function buildFailure(status: number, code: string, message: string, data: Json = {}): SandboxResponse {
  return { status, body: { code, message, data: { status, ...data } } };
}

/** For an account without the capability. */
export function buildForbidden(code: string, action: string): SandboxResponse {
  return buildFailure(403, code, `Sorry, you are not allowed to ${action}.`);
}

/** Applies `_fields=id,content.raw` to each object. */
export function pickFields(response: SandboxResponse, fields: string | undefined): SandboxResponse {
  if (fields === undefined || response.status >= 400) return response;
  const paths = fields.split(',').map((field) => field.split('.'));
  const pick = (value: unknown) => {
    const picked: Json = {};
    for (const path of paths) copyPath(value as Json, picked, path);
    return picked;
  };
  return { ...response, body: Array.isArray(response.body) ? response.body.map(pick) : pick(response.body) };
}

function copyPath(from: Json, to: Json, [name = '', ...rest]: string[]): void {
  if (!Object.hasOwn(from, name)) return;
  if (rest.length === 0) {
    to[name] = from[name];
    return;
  }
  const inner = (to[name] ?? {}) as Json;
  to[name] = inner;
  copyPath(from[name] as Json, inner, rest);
}
