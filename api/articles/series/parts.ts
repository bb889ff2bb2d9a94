/** GraphQL mutations that order the articles of a series and remove them from it. */
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
      'Orders a series. The listed articles come first, in this order, and join the series if they are not in it; the others follow in their former order. An error changes nothing. Errors: BAD_INPUT, NOT_FOUND.',
    args: {
      id: t.arg.id({ required: true, description: 'One of your series.' }),
      articleIds: t.arg.idList({ required: true, description: `The ids of at most ${MAX_ARTICLES} of your articles.` }),
    },
    resolve: async (_root, { id: seriesId, articleIds }, context) => {
      if (articleIds.length > MAX_ARTICLES) {
        throw new RefusedCommandError('BAD_INPUT', `List at most ${MAX_ARTICLES} articles.`, 'articleIds');
      }
      await orderSeries(context.deps.db, { authorId: requireUser(context), seriesId, articleIds });
      return findSeries(context, seriesId);
    },
  }),
  removeFromSeries: t.field({
    ...ALLOW_UNCONFIRMED_FIELD,
    type: Article,
    description:
      'Removes an article from its series. The article stays. If its document names a series, publishing the document adds it again. Errors: NOT_FOUND.',
    args: { articleId: t.arg.id({ required: true, description: 'One of your articles.' }) },
    resolve: async (_root, { articleId }, context) => {
      const scope = { authorId: requireUser(context), articleId };
      await removeFromSeries(context.deps.db, scope);
      const article = await findOwnArticle(context.deps.db, scope);
      if (!article) throw new RefusedCommandError('NOT_FOUND', 'You have no article with this id.', 'articleId');
      return article;
    },
  }),
}));
