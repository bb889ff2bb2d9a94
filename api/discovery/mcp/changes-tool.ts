/** `list_changes`: the same list as `GET /api/geo/changes`. */
import { Type } from 'typebox';
import type { Database } from '../../../store/db/database.ts';
import { ChangesSchema, DEFAULT_LIMIT, readChanges } from '../changes.ts';
import type { Tool } from './tool.ts';

const MAX_LIMIT = 500;

export function createChangesTool(deps: { db: Database; baseUrl: string }): Tool {
  return {
    name: 'list_changes',
    title: 'List changes',
    description:
      'Lists the articles of this site that were added, changed or withdrawn, in order and without gaps. Store `next` and send it as `since` ' +
      'to get later changes. Do not cite withdrawn articles.',
    input: Type.Object(
      {
        since: Type.Optional(Type.String({ maxLength: 200, description: '`next` of an earlier response.' })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
      },
      { additionalProperties: false },
    ),
    output: ChangesSchema,
    async call({ since, limit = DEFAULT_LIMIT }) {
      const query = { since: typeof since === 'string' ? since : undefined, limit: Number(limit) };
      return { structured: await readChanges(deps, query) };
    },
  };
}
