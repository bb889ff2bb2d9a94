/** Checks that a request contains exactly one post within Ghost's limits. */
import type { SandboxResponse } from '../faults.ts';
import { buildValidationError } from './errors.ts';

export type Params = Record<string, unknown>;

/** Maximum lengths in characters. The first is the column's limit, far below the schema's 2000. */
const LENGTHS: Record<string, number> = {
  title: 255,
  slug: 191,
  html: 1_000_000_000,
  canonical_url: 2000,
  feature_image: 2000,
  custom_excerpt: 300,
  meta_title: 300,
  meta_description: 500,
};
const NULLABLE = new Set([
  'html',
  'canonical_url',
  'feature_image',
  'custom_excerpt',
  'meta_title',
  'meta_description',
]);
const ADDRESSES = ['canonical_url', 'feature_image'];

/** Returns the only entry of `posts`, checked. It must contain `required`. */
export function readParams(body: unknown, required: 'title' | 'updated_at'): { params: Params } | SandboxResponse {
  const verb = required === 'title' ? 'save' : 'edit';
  const posts = body !== null && typeof body === 'object' ? (body as Params).posts : undefined;
  if (!Array.isArray(posts) || posts.length !== 1) return buildValidationError('Validation failed for posts.', verb);
  const [params] = posts as Params[];
  if (params === null || typeof params !== 'object' || !(required in params)) {
    return buildValidationError('Validation failed for 0.', verb);
  }
  const wrong = findWrong(params);
  return wrong === null ? { params } : buildValidationError(wrong, verb);
}

function findWrong(params: Params): string | null {
  for (const [name, length] of Object.entries(LENGTHS)) {
    const value = params[name];
    if (value === undefined || (value === null && NULLABLE.has(name))) continue;
    if (typeof value !== 'string') return `Validation failed for ${name}.`;
    if ([...value].length <= length) continue;
    if (name === 'title') return 'Value in [posts.title] exceeds maximum length of 255 characters. posts.title';
    return `Validation failed for ${name}.`;
  }
  for (const name of ADDRESSES) {
    const value = params[name];
    if (typeof value === 'string' && !isUriReference(value)) return `Validation failed for ${name}.`;
  }
  if (params.status !== undefined && !['published', 'draft', 'scheduled', 'sent'].includes(String(params.status))) {
    return 'Validation failed for status.';
  }
  if (params.updated_at !== undefined && Number.isNaN(Date.parse(String(params.updated_at)))) {
    return 'Validation failed for updated_at.';
  }
  return findWrongTag(params.tags);
}

function findWrongTag(tags: unknown): string | null {
  if (tags === undefined) return null;
  if (!Array.isArray(tags)) return 'Validation failed for tags.';
  for (const tag of tags) {
    const name = readTagName(tag);
    if (name === null || [...name].length > 191) return 'Validation failed for 0.';
    if (name.startsWith(',')) return 'Validation (matches) failed for name tags.name';
  }
  return null;
}

/** A tag is a name, or an object with one. */
export function readTagName(tag: unknown): string | null {
  if (typeof tag === 'string') return tag;
  const name = tag !== null && typeof tag === 'object' ? (tag as Params).name : undefined;
  return typeof name === 'string' ? name : null;
}

/** RFC 3986: ASCII without spaces, braces, brackets in paths, and no stray percent sign. */
function isUriReference(text: string): boolean {
  return /^[\w\-.~:/?#@!$&'()*+,;=%]*$/.test(text) && !/%(?![0-9a-f]{2})/i.test(text) && !/#.*#/.test(text);
}
