/**
 * Builds WordPress's responses: errors with a code, and objects reduced to the requested fields.
 */
import type { SandboxResponse } from '../faults.ts';

export type Json = Record<string, unknown>;

export function buildFailure(status: number, code: string, message: string, data: Json = {}): SandboxResponse {
  return { status, body: { code, message, data: { status, ...data } } };
}

/** 401 for anonymous requests, 403 for accounts without the capability. */
export function buildForbidden(isLoggedIn: boolean, code: string, message: string): SandboxResponse {
  return buildFailure(isLoggedIn ? 403 : 401, code, message);
}

/** Applies `_fields=id,content.raw` to each object. */
export function pickFields(answer: SandboxResponse, fields: string | undefined): SandboxResponse {
  if (fields === undefined || answer.status >= 400) return answer;
  const paths = fields.split(',').map((field) => field.trim().split('.'));
  const pick = (value: unknown) => {
    const picked: Json = {};
    for (const path of paths) copyPath(value as Json, picked, path);
    return picked;
  };
  return { ...answer, body: Array.isArray(answer.body) ? answer.body.map(pick) : pick(answer.body) };
}

function copyPath(from: Json, to: Json, [name = '', ...rest]: string[]): void {
  const value = Object.hasOwn(from, name) ? from[name] : undefined;
  if (value === undefined) return;
  if (rest.length === 0 || value === null || typeof value !== 'object') {
    to[name] = value;
    return;
  }
  const inner = (to[name] ?? {}) as Json;
  to[name] = inner;
  copyPath(value as Json, inner, rest);
}
