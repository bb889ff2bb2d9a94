/** The author's articles, and the commands for a whole article outside of a publish. */
import { listTimeWarnings, type PublishTime, readPublishTime } from '../../article/frontmatter/publish-time.ts';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import type { Notice } from '../../article/types.ts';
import { listArticleNotices } from '../../store/articles/article-notices.ts';
import { findOwnArticle } from '../../store/articles/article-state.ts';
import {
  type ArticleTarget,
  deleteArticle,
  publishNow,
  scheduleArticle,
  unpublishArticle,
} from '../../store/articles/commands.ts';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { isUuid } from '../../store/db/valid-keys.ts';
import { listCopies } from '../../store/deliveries/copies.ts';
import { listOwnDeliveries } from '../../store/deliveries/list.ts';
import { warnOfWithdrawal } from '../publish/destination-warnings.ts';
import { describeCopy } from './copies.ts';
import type { DeliveriesDeps } from './deliveries.ts';
import { type GraphqlModule, requireUser } from './module.ts';

const typeDefs = `
  enum ArticleStatus { DRAFT PUBLISHED SCHEDULED }

  "Something the author should know."
  type Notice {
    code: String!
    message: String!
    at: DateTime!
  }

  "What a command was read as, or leaves as it is, in case something else was meant."
  type Warning {
    code: String!
    message: String!
    "The argument, or the destination as cross_post.<key>."
    path: String
  }

  type Article {
    id: ID!
    slug: String!
    title: String!
    status: ArticleStatus!
    url: String!
    scheduledAt: DateTime
    "The zone in which the time was given, where it was."
    scheduledZone: String
    publishedAt: DateTime
    updatedAt: DateTime!
    deliveries: [Delivery!]!
    "Newest first: a schedule that fired late or was moved by new rules of its zone, destinations that changed since, a credential that is refused."
    notices: [Notice!]!
    "Of the command that answers with this article; empty elsewhere."
    warnings: [Warning!]!
  }

  type ArticleRemoval {
    article: Article!
    copies: [RemoteCopy!]!
  }

  extend type Query {
    "One of your articles; null where there is none with this id, or it was deleted."
    article(id: ID!): Article
  }

  extend type Mutation {
    "Makes a draft or a scheduled article public at once. Errors: NOT_FOUND, DELETED, SUSPENDED."
    publishArticleNow(id: ID!): Article!
    """
    Sets or moves the time of a draft or a scheduled article: ISO 8601, with an offset or a zone in brackets (2027-03-01T09:00[Europe/Berlin]).
    Warnings: time_without_offset (read as UTC), time_ambiguous (the clock shows it twice), remote_copy_live, remote_copy_unknown.
    Errors: NOT_FOUND, DELETED, SUSPENDED, ALREADY_PUBLIC, IN_THE_PAST, BAD_TIME.
    """
    scheduleArticle(id: ID!, at: String!): Article!
    "Back to a draft: cancels a schedule, withdraws remote copies as far as the platforms can. Errors: NOT_FOUND."
    unpublishArticle(id: ID!): ArticleRemoval!
    "Unpublishes it and erases its text. Its address answers 410. Errors: NOT_FOUND."
    deleteArticle(id: ID!): ArticleRemoval!
  }
`;

export interface ArticlesDeps extends DeliveriesDeps {
  config: { baseUrl: string };
}

interface OwnArticle {
  id: string;
  slug: string;
  /** Only on the answer to a command. */
  warnings?: Notice[];
}

export function createArticlesModule(deps: ArticlesDeps): GraphqlModule {
  const { db } = deps;
  type Context = Parameters<typeof requireUser>[0];
  const find = async (authorId: string, id: string) => {
    const article = isUuid(id) ? await findOwnArticle(db, { authorId, articleId: id }) : undefined;
    return article ?? null;
  };
  const run = async (id: string, context: Context, command: (target: ArticleTarget) => Promise<void>) => {
    const authorId = requireUser(context);
    if (!isUuid(id)) throw new RefusedCommandError('NOT_FOUND', 'There is no such article among yours.');
    await command({ authorId, articleId: id, now: deps.now() });
    deps.onDecided();
    return find(authorId, id);
  };
  const remove =
    (command: (target: ArticleTarget) => Promise<void>) =>
    async (_root: unknown, { id }: { id: string }, context: Context) => {
      const copies = isUuid(id) ? await listCopies(db, { authorId: requireUser(context), articleId: id }) : [];
      const article = await run(id, context, command);
      return { article, copies: copies.filter(({ isLive, isUncertain }) => isLive || isUncertain).map(describeCopy) };
    };
  return {
    typeDefs,
    resolvers: {
      Article: {
        url: ({ slug }: OwnArticle) => buildArticleUrl(deps.config.baseUrl, slug),
        deliveries: ({ id }: OwnArticle, _args, context) =>
          listOwnDeliveries(db, { authorId: requireUser(context), articleId: id }),
        warnings: ({ warnings }: OwnArticle) => warnings ?? [],
        notices: async ({ id }: OwnArticle) =>
          (await listArticleNotices(db, id)).map(({ createdAt, ...notice }) => ({ ...notice, at: createdAt })),
      },
      Query: {
        article: async (_root, { id }: { id: string }, context) => {
          const article = await find(requireUser(context), id);
          return article?.deletedAt === null ? article : null;
        },
      },
      Mutation: {
        publishArticleNow: (_root, { id }: { id: string }, context) =>
          run(id, context, (target) => publishNow(db, target)),
        scheduleArticle: async (_root, { id, at }: { id: string; at: string }, context) => {
          requireUser(context);
          const time = readTime(at);
          const article = await run(id, context, (target) => scheduleArticle(db, target, time));
          const copies = await listCopies(db, { authorId: requireUser(context), articleId: id });
          return (
            article && { ...article, warnings: [...listTimeWarnings(time, 'at'), ...copies.flatMap(warnOfWithdrawal)] }
          );
        },
        unpublishArticle: remove((target) => unpublishArticle(db, target)),
        deleteArticle: remove((target) => deleteArticle(db, target)),
      },
    },
  };
}

function readTime(text: string): PublishTime {
  const time = readPublishTime(text.slice(0, 200));
  if ('problem' in time) throw new RefusedCommandError('BAD_TIME', `The time ${time.problem}.`, 'at');
  return time;
}
