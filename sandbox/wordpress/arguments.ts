/**
 * Checks arguments as WordPress does: unknown ones are ignored, all wrong ones are named at once.
 */
import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { SandboxResponse } from '../faults.ts';
import { buildFailure, type Json } from './responses.ts';

type Arguments = Record<string, TSchema>;

const STATUSES = ['publish', 'future', 'draft', 'pending', 'private'];
const Text = Type.Union([Type.String(), Type.Object({ raw: Type.String() })]);
const Ids = Type.Array(Type.Integer());
const buildEnum = (...values: string[]) => Type.Union(values.map((value) => Type.Literal(value)));
/** In a query every value is text. */
const Digits = Type.String({ pattern: '^\\d+$' });
const buildEnumList = (values: string[]) =>
  Type.String({ pattern: `^(?:${values.join('|')})(?:,(?:${values.join('|')}))*$` });

export const POST_ARGUMENTS: Arguments = {
  title: Text,
  content: Text,
  excerpt: Text,
  slug: Type.String(),
  status: buildEnum(...STATUSES),
  tags: Ids,
  categories: Ids,
  featured_media: Type.Integer(),
  comment_status: buildEnum('open', 'closed'),
  ping_status: buildEnum('open', 'closed'),
  sticky: Type.Boolean(),
};

export const LIST_ARGUMENTS: Arguments = {
  context: buildEnum('view', 'embed', 'edit'),
  page: Type.String({ pattern: '^[1-9]\\d*$' }),
  per_page: Type.String({ pattern: '^(?:[1-9]\\d?|100)$' }),
  offset: Digits,
  author: Type.String({ pattern: '^\\d+(?:,\\d+)*$' }),
  order: buildEnum('asc', 'desc'),
  status: buildEnumList([...STATUSES, 'any', 'trash', 'inherit']),
  search_columns: buildEnumList(['post_title', 'post_content', 'post_excerpt']),
};

export const TAG_ARGUMENTS: Arguments = { name: Type.String(), slug: Type.String(), description: Type.String() };

/** Null if nothing is wrong. */
export function refuseArguments(
  args: Json,
  known: Arguments,
  required: readonly string[] = [],
): SandboxResponse | null {
  const missing = required.filter((name) => args[name] === undefined);
  if (missing.length > 0) {
    const message = `Missing parameter(s): ${missing.join(', ')}`;
    return buildFailure(400, 'rest_missing_callback_param', message, { params: missing });
  }
  const wrong = Object.keys(known).filter((name) => {
    const schema = known[name];
    return schema !== undefined && args[name] !== undefined && !Value.Check(schema, args[name]);
  });
  if (wrong.length === 0) return null;
  const params = Object.fromEntries(wrong.map((name) => [name, `${name} is not of a kind that is taken.`]));
  return buildFailure(400, 'rest_invalid_param', `Invalid parameter(s): ${wrong.join(', ')}`, { params });
}
