/** GraphQL commands that order the articles of a series and remove them from it. */
import { findOwnArticle } from '../../../store/articles/own-articles.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { orderSeries, removeFromSeries } from '../../../store/series/order-series.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { Article } from '../graphql/article.ts';
import { findSeries } from './graphql.ts';
import { Series } from './type.ts';

const MAX_ARTICLES = 1_000;

builder.mutationFields((t) => ({
  orderSeries: t.field({
    type: Series,
    description:
      'The named articles come first, in this order, and join where they were not part of it; the others follow in the order that they had. Errors: BAD_INPUT, NOT_FOUND, and then nothing was changed.',
    args: {
      id: t.arg.id({ required: true, description: 'One of your series.' }),
      articleIds: t.arg.idList({ required: true, description: `Articles of yours, at most ${MAX_ARTICLES}.` }),
    },
    resolve: async (_root, { id: seriesId, articleIds }, context) => {
      if (articleIds.length > MAX_ARTICLES) {
        throw new RefusedCommandError('BAD_INPUT', `Name at most ${MAX_ARTICLES} articles at once.`, 'articleIds');
      }
      await orderSeries(context.deps.db, { authorId: requireUser(context), seriesId, articleIds });
      return findSeries(context, seriesId);
    },
  }),
  removeFromSeries: t.field({
    ...ALLOW_UNCONFIRMED_FIELD,
    type: Article,
    description:
      'The article stays, and is part of no series; one whose document names a series joins it again when it is published. Errors: NOT_FOUND.',
    args: { articleId: t.arg.id({ required: true, description: 'One of your articles.' }) },
    resolve: async (_root, { articleId }, context) => {
      const scope = { authorId: requireUser(context), articleId };
      await removeFromSeries(context.deps.db, scope);
      const article = await findOwnArticle(context.deps.db, scope);
      if (!article) throw new RefusedCommandError('NOT_FOUND', 'There is no such article among yours.', 'articleId');
      return article;
    },
  }),
}));
