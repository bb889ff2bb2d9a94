/** Reading one's own articles. */
import {
  type ArticlePosition,
  findOwnArticle,
  listOwnArticles,
  type OwnArticlesFilter,
} from '../../../store/articles/own-articles.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { builder } from '../builder.ts';
import { requireUser } from '../context.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../pages.ts';
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
    seriesId: t.id({ description: 'Those in this series; null for those in none.' }),
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
    description: 'Your articles, the newest first, without deleted ones. Errors: BAD_CURSOR, BAD_INPUT.',
    args: { filter: t.arg({ type: ArticlesFilter, description: 'Which of them.' }), ...pageArgs },
    resolve: (_root, { filter: given, ...args }, context) => {
      const authorId = requireUser(context);
      const filter = readFilter(given ?? {});
      return readPage({
        args,
        list: ['articles', authorId, filter],
        readPosition,
        load: (limit, after) => listOwnArticles(context.deps.db, authorId, { filter, limit, after }),
        locate: ({ id, createdMicros }) => ({ createdAt: createdMicros, id }),
      });
    },
  }),
);

/** A series that is null is asked for; any other null is as good as nothing. */
function readFilter({ status, tag, seriesId }: typeof ArticlesFilter.$inferInput): OwnArticlesFilter {
  return {
    ...(status != null && { status }),
    ...(tag != null && { tag }),
    ...(seriesId !== undefined && { seriesId }),
  };
}

function readPosition({ createdAt, id }: Record<string, unknown>): ArticlePosition | null {
  const isTime = Number.isSafeInteger(createdAt) && Math.abs(Number(createdAt)) < LAST_MOMENT;
  return isTime && typeof id === 'string' && isUuid(id) ? { createdAt: Number(createdAt), id } : null;
}

/** In microseconds; the database reckons further, and no article is from later. */
const LAST_MOMENT = 8_000_000_000_000_000;
