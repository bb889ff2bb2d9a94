/** GraphQL mutations of an article: publish now, schedule, unpublish, delete. */
import { findOwnArticle } from '../../../store/articles/own-articles.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import {
  type ArticleName,
  publishArticleNow,
  removeOwnArticle,
  scheduleOwnArticle,
} from '../../deliveries/article-commands.ts';
import type { DescribedCopy } from '../../deliveries/describe-copy.ts';
import { RemoteCopy } from '../../deliveries/graphql.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { type GraphqlContext, requireUser } from '../../graphql/context.ts';
import { Article, type ArticleRow } from './article.ts';

interface Removal {
  article: ArticleRow;
  copies: DescribedCopy[];
}

const ArticleRemoval = builder.objectRef<Removal>('ArticleRemoval').implement({
  description: 'The result of unpublishing or deleting an article.',
  fields: (t) => ({
    article: t.expose('article', { type: Article, description: 'The article after the command.' }),
    copies: t.expose('copies', {
      type: [RemoteCopy],
      description: 'The copies that were live or uncertain, and what happens to each.',
    }),
  }),
});

const targetArgs = builder.args((t) => ({ id: t.id({ required: true, description: 'One of your articles.' }) }));

builder.mutationFields((t) => ({
  publishArticleNow: t.field({
    type: Article,
    description:
      'Publishes a draft or a scheduled article immediately.\nWarnings: canonical_clash (another author has the canonical URL).\nErrors: NOT_FOUND, DELETED, SUSPENDED.',
    args: targetArgs,
    resolve: async (_root, { id }, context) => {
      const name = nameArticle(context, id);
      const warnings = await publishArticleNow(context.deps, name, { via: 'graphql', request: context.request });
      return { ...(await readArticle(context, name)), warnings };
    },
  }),
  scheduleArticle: t.field({
    type: Article,
    description:
      'Schedules a draft, or reschedules a scheduled article: ISO 8601, with an offset or a zone in brackets (2027-03-01T09:00[Europe/Berlin]).\nWarnings: time_without_offset (read as UTC), time_ambiguous (the time occurs twice in the zone), remote_copy_live, remote_copy_unknown, canonical_clash (another author has the canonical URL).\nErrors: NOT_FOUND, DELETED, SUSPENDED, ALREADY_PUBLIC, IN_THE_PAST, BAD_TIME.',
    args: {
      ...targetArgs,
      at: t.arg.string({ required: true, description: 'The time at which the article becomes public.' }),
    },
    resolve: async (_root, { id, at }, context) => {
      const name = nameArticle(context, id);
      const { warnings } = await scheduleOwnArticle(context.deps, name, at);
      return { ...(await readArticle(context, name)), warnings };
    },
  }),
  unpublishArticle: t.field({
    ...ALLOW_UNCONFIRMED_FIELD,
    type: ArticleRemoval,
    description:
      'Turns the article into a draft: cancels a schedule, and withdraws its copies as far as the platforms can. Errors: NOT_FOUND.',
    args: targetArgs,
    resolve: (_root, { id }, context) => remove(context, id, 'unpublish'),
  }),
  deleteArticle: t.field({
    ...ALLOW_UNCONFIRMED_FIELD,
    type: ArticleRemoval,
    description: 'Unpublishes the article and deletes its text. Its URL then returns 410. Errors: NOT_FOUND.',
    args: targetArgs,
    resolve: (_root, { id }, context) => remove(context, id, 'delete'),
  }),
}));

async function remove(context: GraphqlContext, id: string, removal: 'unpublish' | 'delete'): Promise<Removal> {
  const name = nameArticle(context, id);
  const copies = await removeOwnArticle(context.deps, name, removal);
  return { article: await readArticle(context, name), copies };
}

function nameArticle(context: GraphqlContext, articleId: string): ArticleName {
  return { authorId: requireUser(context), articleId };
}

async function readArticle({ deps }: GraphqlContext, name: ArticleName): Promise<ArticleRow> {
  const article = await findOwnArticle(deps.db, name);
  if (!article) throw new RefusedCommandError('NOT_FOUND', 'You have no such article.');
  return article;
}
