/** GraphQL fields to read, create, rename, order and delete an author's series. */
import { cleanLine } from '../../../article/text/clean-text.ts';
import { findOwnArticle } from '../../../store/articles/own-articles.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { isStorableLine } from '../../../store/db/valid-keys.ts';
import {
  findOwnSeries,
  listOwnSeries,
  type OwnSeries,
  type SeriesPosition,
} from '../../../store/series/list-series.ts';
import * as series from '../../../store/series/series.ts';
import { orderSeries, removeFromSeries } from '../../../store/series/series.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { type GraphqlContext, requireUser } from '../../graphql/context.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../../graphql/pages.ts';
import { isId } from '../../web/lists/cursor.ts';
import { Article } from '../graphql/article.ts';
import { Series } from './type.ts';

const SeriesConnection = createConnectionType(Series, {
  name: 'Series',
  description: 'A page of series.',
  edge: 'A series in a list.',
});

builder.queryFields((t) => ({
  series: t.field({
    type: Series,
    nullable: true,
    description: 'One of your series; null if no series has this id.',
    args: { id: t.arg.id({ required: true, description: 'The id that createSeries returned.' }) },
    resolve: (_root, { id: seriesId }, context) =>
      findOwnSeries(context.deps.db, { authorId: requireUser(context), seriesId }),
  }),
  mySeries: t.field({
    type: SeriesConnection,
    complexity: pageCost,
    description: 'Your series, by title. Errors: BAD_CURSOR, BAD_INPUT.',
    args: pageArgs,
    resolve: (_root, args, context) => {
      const authorId = requireUser(context);
      return readPage({
        args,
        list: ['series', authorId],
        readPosition,
        load: (limit, after) => listOwnSeries(context.deps.db, authorId, { limit, after }),
        locate: ({ titleKey, id }) => ({ titleKey, id }),
      });
    },
  }),
}));

const titleArg = { required: true, description: 'The title: one line of at most 200 characters.' } as const;

builder.mutationFields((t) => ({
  createSeries: t.field({
    type: Series,
    description:
      'Creates a series. Articles join it if their document names it in series_id, or through orderSeries. Errors: BAD_INPUT, TITLE_TAKEN, TOO_MANY.',
    args: { title: t.arg.string(titleArg) },
    resolve: async (_root, args, context) => {
      const { db, now } = context.deps;
      const title = readTitle(args.title);
      const { id } = await series.createSeries(db, { authorId: requireUser(context), title, now: now() });
      return findSeries(context, id);
    },
  }),
  renameSeries: t.field({
    type: Series,
    description:
      'Renames a series. Documents that name it by its former title no longer refer to it until you change them. Errors: BAD_INPUT, NOT_FOUND, TITLE_TAKEN.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of one of your series.' }),
      title: t.arg.string(titleArg),
    },
    resolve: async (_root, { id: seriesId, title }, context) => {
      const rename = { authorId: requireUser(context), seriesId, title: readTitle(title) };
      await series.renameSeries(context.deps.db, rename);
      return findSeries(context, seriesId);
    },
  }),
  deleteSeries: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description: 'Deletes a series. Its articles stay, without a series. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of one of your series.' }) },
    resolve: async (_root, { id: seriesId }, context) => {
      await series.deleteSeries(context.deps.db, { authorId: requireUser(context), seriesId });
      return true;
    },
  }),
}));

/** Reads a series after a mutation. Throws NOT_FOUND if it was deleted meanwhile. */
export async function findSeries(context: GraphqlContext, seriesId: string): Promise<OwnSeries> {
  const found = await findOwnSeries(context.deps.db, { authorId: requireUser(context), seriesId });
  if (!found) throw new RefusedCommandError('NOT_FOUND', 'You have no series with this id.', 'id');
  return found;
}

const MAX_TITLE_CHARACTERS = 200;

function readTitle(text: string): string {
  const title = cleanLine(text);
  if (title !== '' && [...title].length <= MAX_TITLE_CHARACTERS) return title;
  const message = `The title must be one line of 1 to ${MAX_TITLE_CHARACTERS} characters.`;
  throw new RefusedCommandError('BAD_INPUT', message, 'title');
}

function readPosition({ titleKey, id }: Record<string, unknown>): SeriesPosition | null {
  // Case folding can make a title key longer than its title.
  const isKey = typeof titleKey === 'string' && titleKey.length < 10_000 && isStorableLine(titleKey);
  return isKey && isId(id) ? { titleKey, id } : null;
}

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
      if (!article) throw new RefusedCommandError('NOT_FOUND', 'You have no such article.', 'articleId');
      return article;
    },
  }),
}));
