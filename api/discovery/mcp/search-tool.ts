/** `search_articles`: the same list and search as `GET /api/v1/articles`. */
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  DEFAULT_FIRST,
  MAX_PAGE_LENGTH,
  MAX_SEARCH_CHARACTERS,
  readListQuery,
} from '../../articles/listing/list-query.ts';
import { type ListDeps, readList } from '../../articles/listing/read-list.ts';
import { ArticleListSchema } from '../../articles/listing/schemas.ts';
import type { LimitSearches } from '../../articles/listing/search-limit.ts';
import { type Tool, UNTRUSTED } from './tool.ts';

export function createSearchTool(deps: ListDeps & { limitSearches: LimitSearches }, request: FastifyRequest): Tool {
  return {
    name: 'search_articles',
    title: 'Search articles',
    description:
      'Searches the published articles of this site, best match first, or lists the newest if the query is omitted. ' +
      `Cite an article by its canonicalUrl. ${UNTRUSTED}`,
    input: Type.Object(
      {
        query: Type.Optional(
          Type.String({
            maxLength: MAX_SEARCH_CHARACTERS,
            description:
              'Words that must all occur; "a phrase"; -excluded. Word forms match in each article’s language.',
          }),
        ),
        tag: Type.Optional(Type.String({ description: 'Articles with this tag.' })),
        author: Type.Optional(Type.String({ description: 'Articles of this author, by user name.' })),
        first: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_LENGTH, default: DEFAULT_FIRST })),
        after: Type.Optional(
          Type.String({ description: '`next` of the previous page, with the same query, tag and author.' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: ArticleListSchema,
    async call({ query: q, ...parameters }) {
      const texts = Object.entries({ q, ...parameters }).filter(([, value]) => value !== undefined);
      const query = readListQuery(Object.fromEntries(texts.map(([name, value]) => [name, String(value)])));
      const read = () => readList(deps, query);
      const { data, next } = query.terms === null ? await read() : await deps.limitSearches(request, read);
      return { structured: { data, next } };
    },
  };
}
