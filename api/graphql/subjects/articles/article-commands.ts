/** The commands for a whole article outside of a publish. */
import { listTimeWarnings, type PublishTime, readPublishTime } from '../../../../article/frontmatter/publish-time.ts';
import {
  type ArticleTarget,
  deleteArticle,
  publishNow,
  scheduleArticle,
  unpublishArticle,
} from '../../../../store/articles/commands.ts';
import { findOwnArticle } from '../../../../store/articles/own-articles.ts';
import { RefusedCommandError } from '../../../../store/commands/refused-command.ts';
import { isUuid } from '../../../../store/db/valid-keys.ts';
import { listCopies, listCopiesOfArticles } from '../../../../store/deliveries/copies.ts';
import { warnOfWithdrawal } from '../../../publish/destination-warnings.ts';
import { builder } from '../../builder.ts';
import { type GraphqlContext, requireUser } from '../../context.ts';
import { describeCopy, RemoteCopy } from '../delivery/copies.ts';
import { Article, type ArticleRow } from './article.ts';

interface Removal {
  article: ArticleRow;
  copies: ReturnType<typeof describeCopy>[];
}

const ArticleRemoval = builder.objectRef<Removal>('ArticleRemoval').implement({
  description: 'An article that was taken back.',
  fields: (t) => ({
    article: t.expose('article', { type: Article, description: 'As it is now.' }),
    copies: t.expose('copies', {
      type: [RemoteCopy],
      description: 'What was live elsewhere, or may have been, and what happens to it.',
    }),
  }),
});

const targetArgs = builder.args((t) => ({
  id: t.id({ required: true, description: 'One of your articles.' }),
}));

builder.mutationField('publishArticleNow', (t) =>
  t.field({
    type: Article,
    description: 'Makes a draft or a scheduled article public at once. Errors: NOT_FOUND, DELETED, SUSPENDED.',
    args: targetArgs,
    resolve: (_root, { id }, context) => give(context, id, (target) => publishNow(context.deps.db, target)),
  }),
);

builder.mutationField('scheduleArticle', (t) =>
  t.field({
    type: Article,
    description:
      'Sets or moves the time of a draft or a scheduled article: ISO 8601, with an offset or a zone in brackets (2027-03-01T09:00[Europe/Berlin]).\nWarnings: time_without_offset (read as UTC), time_ambiguous (the clock shows it twice), remote_copy_live, remote_copy_unknown.\nErrors: NOT_FOUND, DELETED, SUSPENDED, ALREADY_PUBLIC, IN_THE_PAST, BAD_TIME.',
    args: { ...targetArgs, at: t.arg.string({ required: true, description: 'When it becomes public.' }) },
    resolve: async (_root, { id, at }, context) => {
      const { db } = context.deps;
      const time = readTime(at);
      const article = await give(context, id, (target) => scheduleArticle(db, target, time));
      const copies = await listCopies(db, { authorId: requireUser(context), articleId: id });
      return { ...article, warnings: [...listTimeWarnings(time, 'at'), ...copies.flatMap(warnOfWithdrawal)] };
    },
  }),
);

builder.mutationField('unpublishArticle', (t) =>
  t.field({
    type: ArticleRemoval,
    description:
      'Back to a draft: cancels a schedule, withdraws remote copies as far as the platforms can. Errors: NOT_FOUND.',
    args: targetArgs,
    resolve: (_root, { id }, context) => remove(context, id, (target) => unpublishArticle(context.deps.db, target)),
  }),
);

builder.mutationField('deleteArticle', (t) =>
  t.field({
    type: ArticleRemoval,
    description: 'Unpublishes it and erases its text. Its address answers 410. Errors: NOT_FOUND.',
    args: targetArgs,
    resolve: (_root, { id }, context) => remove(context, id, (target) => deleteArticle(context.deps.db, target)),
  }),
);

type Command = (target: ArticleTarget) => Promise<void>;

/** Gives the command, and answers with the article as it is then. */
async function give(context: GraphqlContext, articleId: string, command: Command): Promise<ArticleRow> {
  const { db, now, onDecided } = context.deps;
  const authorId = requireUser(context);
  if (!isUuid(articleId)) throw createNotFoundError();
  await command({ authorId, articleId, now: now() });
  onDecided();
  const article = await findOwnArticle(db, { authorId, articleId });
  if (!article) throw createNotFoundError();
  return article;
}

async function remove(context: GraphqlContext, articleId: string, command: Command): Promise<Removal> {
  const scope = { authorId: requireUser(context), articleIds: [articleId] };
  const copies = isUuid(articleId) ? await listCopiesOfArticles(context.deps.db, scope) : [];
  const article = await give(context, articleId, command);
  return { article, copies: copies.filter(({ isLive, isUncertain }) => isLive || isUncertain).map(describeCopy) };
}

function createNotFoundError(): RefusedCommandError {
  return new RefusedCommandError('NOT_FOUND', 'There is no such article among yours.');
}

function readTime(text: string): PublishTime {
  const time = readPublishTime(text.slice(0, 200));
  if ('problem' in time) throw new RefusedCommandError('BAD_TIME', `The time ${time.problem}.`, 'at');
  return time;
}
