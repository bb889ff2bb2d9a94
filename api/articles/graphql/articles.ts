/** GraphQL queries for the author's own articles and tags. */
import { cleanLine } from '../../../article/text/clean-text.ts';
import {
  type ArticleCursor,
  findOwnArticle,
  isSeriesList,
  listOwnArticles,
  listOwnTags,
  type OwnArticlesFilter,
} from '../../../store/articles/own-articles.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { createGraphqlError } from '../../graphql/errors.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../../graphql/pages.ts';
import { isId, readTimePosition } from '../../web/lists/cursor.ts';
import { Article, ArticleStatus } from './article.ts';

builder.queryField('article', (t) =>
  t.field({
    type: Article,
    nullable: true,
    description: 'One of your articles; null if no article has this id, or it was deleted.',
    args: { id: t.arg.id({ required: true, description: 'The id that the publish returned.' }) },
    resolve: async (_root, { id }, context) => {
      const scope = { authorId: requireUser(context), articleId: id };
      const article = isUuid(id) ? await findOwnArticle(context.deps.db, scope) : undefined;
      return article?.deletedAt === null ? article : null;
    },
  }),
);

const ArticlesFilter = builder.inputType('ArticlesFilter', {
  description: 'Filters your articles. An omitted field does not filter.',
  fields: (t) => ({
    status: t.field({ type: ArticleStatus, description: 'Only articles in this state.' }),
    tag: t.string({ description: 'Only articles with this tag, spelled as in the document.' }),
    seriesId: t.id({ description: 'Only articles in this series, in its order; null for articles without a series.' }),
  }),
});

const TagCount = builder.objectRef<{ tag: string; count: number }>('TagCount').implement({
  description: 'A tag of your articles.',
  fields: (t) => ({
    tag: t.exposeString('tag', { description: 'The tag, spelled as in the document.' }),
    count: t.exposeInt('count', { description: 'The number of your articles with this tag, including drafts.' }),
  }),
});

const ArticleConnection = createConnectionType(Article, {
  name: 'Article',
  description: 'A page of articles.',
  edge: 'An article in a list.',
});

builder.queryFields((t) => ({
  articles: t.field({
    type: ArticleConnection,
    complexity: pageCost,
    description:
      'Your articles, newest first, without deleted ones; articles of a series in its order. Errors: BAD_CURSOR, BAD_INPUT.',
    args: {
      filter: t.arg({ type: ArticlesFilter, description: 'Limits the list to matching articles.' }),
      search: t.arg.string({
        description:
          'Words or word prefixes; an article matches if it contains all of them, in any part. At most 200 characters.',
      }),
      ...pageArgs,
    },
    resolve: (_root, { filter: filterInput, search, ...args }, context) => {
      const authorId = requireUser(context);
      const filter = { ...readFilter(filterInput ?? {}), ...(search != null && { search: readSearch(search) }) };
      return readPage({
        args,
        list: ['articles', authorId, filter],
        readPosition: (value) => readPosition(filter, value),
        load: (limit, after) => listOwnArticles(context.deps.db, authorId, { filter, limit, after }),
        locate: ({ id, createdMicros, partPosition }) =>
          isSeriesList(filter) ? { partPosition: partPosition ?? 0, id } : { createdAt: createdMicros, id },
      });
    },
  }),
  tags: t.field({
    type: [TagCount],
    complexity: { field: 1, multiplier: 100 },
    description: 'The tags of your articles, most used first.',
    resolve: (_root, _args, context) => listOwnTags(context.deps.db, requireUser(context)),
  }),
}));

/** A null `seriesId` selects articles without a series. Any other null counts as absent. */
function readFilter({ status, tag, seriesId }: typeof ArticlesFilter.$inferInput): OwnArticlesFilter {
  if (seriesId != null && !isUuid(seriesId)) {
    throw createGraphqlError('BAD_INPUT', 'seriesId is not the id of a series.', { field: 'filter' });
  }
  return {
    ...(status != null && { status }),
    ...(tag != null && { tag }),
    ...(seriesId !== undefined && { seriesId }),
  };
}

const MAX_SEARCH_CHARACTERS = 200;

function readSearch(text: string): string {
  const search = cleanLine(text);
  if (search.length <= MAX_SEARCH_CHARACTERS) return search;
  const message = `search has more than ${MAX_SEARCH_CHARACTERS} characters.`;
  throw createGraphqlError('BAD_INPUT', message, { field: 'search' });
}

function readPosition(filter: OwnArticlesFilter, value: Record<string, unknown>): ArticleCursor | null {
  const { partPosition, createdAt, id } = value;
  if (!isSeriesList(filter)) {
    const position = readTimePosition(createdAt, id);
    return position && { createdAt: position.micros, id: position.id };
  }
  const isPosition = Number.isInteger(partPosition) && Math.abs(Number(partPosition)) < 2 ** 31;
  return isPosition && isId(id) ? { partPosition: Number(partPosition), id } : null;
}
