/** `list_changes`: the same list as `GET /api/geo/changes`. */
import { Type } from 'typebox';
import type { Database } from '../../../store/db/database.ts';
import { ChangesSchema, DEFAULT_LIMIT, readChanges } from '../changes.ts';
import type { Tool } from './tool.ts';

const MAX_LIMIT = 500;

export function createChangesTool(deps: { db: Database; baseUrl: string }): Tool {
  return {
    name: 'list_changes',
    title: 'What is new',
    description:
      'Lists which articles of this site were added, changed or withdrawn, in order and without gaps. Keep `next` and ask with it as `since` ' +
      'for what came later. What was withdrawn must not be cited any more.',
    input: Type.Object(
      {
        since: Type.Optional(Type.String({ maxLength: 200, description: '`next` of an earlier answer.' })),
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
