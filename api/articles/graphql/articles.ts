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
import { readTimePosition } from '../../web/lists/positions.ts';
import { Article, ArticleStatus } from './article.ts';

builder.queryField('article', (t) =>
  t.field({
    type: Article,
    nullable: true,
    description: 'One of your articles; null where there is none with this id, or it was deleted.',
    args: { id: t.arg.id({ required: true, description: 'As publishing answered it.' }) },
    resolve: async (_root, { id }, context) => {
      const scope = { authorId: requireUser(context), articleId: id };
      const article = isUuid(id) ? await findOwnArticle(context.deps.db, scope) : undefined;
      return article?.deletedAt === null ? article : null;
    },
  }),
);

const ArticlesFilter = builder.inputType('ArticlesFilter', {
  description: 'Which of your articles. What is not given leaves nothing out.',
  fields: (t) => ({
    status: t.field({ type: ArticleStatus, description: 'Those in this state.' }),
    tag: t.string({ description: 'Those with this tag, as it was written.' }),
    seriesId: t.id({ description: 'Those in this series, in its order; null for those in none.' }),
  }),
});

const TagCount = builder.objectRef<{ tag: string; count: number }>('TagCount').implement({
  description: 'A tag of your articles.',
  fields: (t) => ({
    tag: t.exposeString('tag', { description: 'As it was written.' }),
    count: t.exposeInt('count', { description: 'How many of your articles have it, drafts too.' }),
  }),
});

const ArticleConnection = createConnectionType(Article, {
  name: 'Article',
  description: 'A page of articles.',
  edge: 'An article in a list.',
});

builder.queryField('articles', (t) =>
  t.field({
    type: ArticleConnection,
    complexity: pageCost,
    description:
      'Your articles, the newest first, without deleted ones; those of a series in its order. Errors: BAD_CURSOR, BAD_INPUT.',
    args: {
      filter: t.arg({ type: ArticlesFilter, description: 'Which of them.' }),
      search: t.arg.string({
        description:
          'Words, or beginnings of words: articles that have all of them, in whatever part. At most 200 characters.',
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
);

builder.queryField('tags', (t) =>
  t.field({
    type: [TagCount],
    complexity: { field: 1, multiplier: 100 },
    description: 'The tags of your articles, the most used first.',
    resolve: (_root, _args, context) => listOwnTags(context.deps.db, requireUser(context)),
  }),
);

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
  const { place, createdAt, id } = value;
  if (!isSeriesList(filter)) {
    const position = readTimePosition(createdAt, id);
    return position && { createdAt: position.micros, id: position.id };
  }
  const isPlace = Number.isInteger(place) && Math.abs(Number(place)) < 2 ** 31;
  return isPlace && typeof id === 'string' && isUuid(id) ? { partPosition: Number(place), id } : null;
}
