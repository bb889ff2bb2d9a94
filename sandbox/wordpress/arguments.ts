/** Checks arguments as WordPress does: ignores unknown ones, names all wrong ones at once. */
import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Json, SandboxResponse } from '../exchange.ts';
import { buildFailure } from './responses.ts';

const STATUSES = ['publish', 'future', 'draft', 'pending', 'private'];
const Text = Type.Union([Type.String(), Type.Object({ raw: Type.String() })]);
const Ids = Type.Array(Type.Integer());
const Open = Type.Enum(['open', 'closed']);

export const POST_ARGUMENTS: Record<string, TSchema> = {
  ...{ title: Text, content: Text, excerpt: Text, slug: Type.String(), status: Type.Enum(STATUSES) },
  ...{ tags: Ids, categories: Ids, featured_media: Type.Integer(), comment_status: Open },
};

/** In a query every value is text. */
export const LIST_ARGUMENTS: Record<string, TSchema> = {
  context: Type.Enum(['view', 'embed', 'edit']),
  per_page: Type.String({ pattern: '^(?:[1-9]\\d?|100)$' }),
  offset: Type.String({ pattern: '^\\d+$' }),
  author: Type.String({ pattern: '^\\d+$' }),
  status: Type.Enum([...STATUSES, 'any', 'trash']),
  search_columns: Type.Enum(['post_title', 'post_content', 'post_excerpt']),
};

/** Null if nothing is wrong. */
export function refuseArguments(args: Json, known: Record<string, TSchema>): SandboxResponse | null {
  const wrong = Object.entries(known)
    .filter(([name, schema]) => args[name] !== undefined && !Value.Check(schema, args[name]))
    .map(([name]) => name);
  if (wrong.length === 0) return null;
  const params = Object.fromEntries(wrong.map((name) => [name, `${name} is not of a kind that is taken.`]));
  return buildFailure(400, 'rest_invalid_param', `Invalid parameter(s): ${wrong.join(', ')}`, { params });
}
