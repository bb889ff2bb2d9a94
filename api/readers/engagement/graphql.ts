/** GraphQL fields for reactions, comment counts and page views of an article, and for follows. */
import { requirePublicArticle } from '../../../store/articles/find-public.ts';
import { countComments } from '../../../store/comments/list-comments.ts';
import { isOpen } from '../../../store/comments/open-comments.ts';
import { type Audience as AudienceRow, findAudience, unfollow } from '../../../store/follows/follow.ts';
import { listPageViews, type PageViewDay as ReadingDayRow } from '../../../store/page-views/list-page-views.ts';
import { countReactions, type ReactionCount as ReactionCountRow, unreact } from '../../../store/reactions/react.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder, exposeFields, returnTrueAfter } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { createGraphqlError } from '../../graphql/errors.ts';
import { addReaction, followAuthor } from '../limits.ts';

const ReactionKind = builder.enumType('ReactionKind', {
  description: 'The kind of a reaction to an article.',
  values: {
    LIKE: { value: 'like', description: 'Like: a good article.' },
    LOVE: { value: 'love', description: 'Love: one of the best articles.' },
    INSIGHTFUL: { value: 'insightful', description: 'Insightful: the reader learned something.' },
    CELEBRATE: { value: 'celebrate', description: 'Celebrate: congratulations.' },
  } as const,
});

const ReactionCount = builder.objectRef<ReactionCountRow>('ReactionCount').implement({
  description: 'The number of reactions of one kind.',
  fields: (t) => ({
    ...exposeFields(t, {
      count: ['Int!', 'The number of people with this reaction.'],
      isMine: ['Boolean!', 'Whether you are among them.'],
    }),
    kind: t.expose('kind', { type: ReactionKind, description: 'The kind of the reaction.' }),
  }),
});

interface EngagementRow {
  comments: number;
  commentsOpen: boolean;
  reactions: ReactionCountRow[];
}

const Engagement = builder.objectRef<EngagementRow>('Engagement').implement({
  description: 'The comments and reactions of an article, counted.',
  fields: (t) => ({
    ...exposeFields(t, {
      comments: ['Int!', 'The number of visible comments.'],
      commentsOpen: ['Boolean!', 'Whether new comments are accepted.'],
    }),
    reactions: t.expose('reactions', { type: [ReactionCount], description: 'One entry per kind of reaction.' }),
  }),
});

const slugArg = builder.args((t) => ({
  slug: t.string({ required: true, description: 'The slug of a public article.' }),
}));

const reactionArgs = builder.args((t) => ({
  slug: t.string({ required: true, description: 'The slug of a public article.' }),
  kind: t.field({ type: ReactionKind, required: true, description: 'The kind of the reaction.' }),
}));

const ReadingHost = builder.objectRef<{ host: string; views: number }>('ReadingHost').implement({
  description: 'A source of page views.',
  fields: (t) => ({
    ...exposeFields(t, {
      host: [
        'String!',
        'The host of the referring site; `direct` if there is none, `other` for all beyond the first 100.',
      ],
      views: ['Int!', 'The number of views from this source.'],
    }),
  }),
});

const ReadingDay = builder.objectRef<ReadingDayRow>('ReadingDay').implement({
  description: 'The page views of an article on one day.',
  fields: (t) => ({
    ...exposeFields(t, {
      day: ['String!', 'The day, as 2026-11-23, in the time zone of your digest.'],
      views: ['Int!', 'The number of readers. Each counts once per day.'],
      readingSeconds: ['Int!', 'The total reading time in seconds.'],
    }),
    hosts: t.expose('hosts', {
      type: [ReadingHost],
      complexity: { field: 1, multiplier: 10 },
      description: 'The sources of the views, most frequent first.',
    }),
  }),
});

const MAX_DAYS = 90;

const Audience = builder.objectRef<AudienceRow>('Audience').implement({
  description: 'The followers of an author.',
  fields: (t) => ({
    ...exposeFields(t, {
      followers: ['Int!', 'The number of followers.'],
      isFollowed: ['Boolean!', 'Whether you follow the author.'],
    }),
  }),
});

const authorArg = builder.args((t) => ({
  username: t.string({ required: true, description: 'The user name of the author, as in /authors/<username>.' }),
}));

builder.queryFields((t) => ({
  engagement: t.field({
    type: Engagement,
    description: 'The comments and reactions of an article, counted. Errors: NOT_FOUND.',
    args: slugArg,
    resolve: async (_root, { slug }, context) => {
      const { db } = context.deps;
      const article = await requirePublicArticle(db, slug);
      const [comments, reactions] = await Promise.all([
        article.commentsEnabled ? countComments(db, article.id) : 0,
        countReactions(db, { articleId: article.id, viewerId: requireUser(context) }),
      ]);
      return { comments, commentsOpen: isOpen(article), reactions };
    },
  }),
  readings: t.field({
    type: [ReadingDay],
    complexity: ({ days }) => ({ field: 1, multiplier: Math.min(MAX_DAYS, Math.max(1, days ?? 1)) }),
    description:
      'The page views of an article of yours, for the latest days with readers. Errors: NOT_FOUND, BAD_INPUT.',
    args: {
      slug: t.arg.string({ required: true, description: 'The slug of an article of yours.' }),
      days: t.arg.int({ defaultValue: 7, description: `The number of days: 1 to ${MAX_DAYS}.` }),
    },
    resolve: (_root, { slug, days }, context) => {
      const limit = days ?? 7;
      if (limit < 1 || limit > MAX_DAYS) {
        throw createGraphqlError('BAD_INPUT', `days must be 1 to ${MAX_DAYS}.`, { field: 'days' });
      }
      return listPageViews(context.deps.db, { authorId: requireUser(context), slug, days: limit });
    },
  }),
  audience: t.field({
    type: Audience,
    nullable: true,
    description: 'The followers of an author; null if there is no author with this user name.',
    args: authorArg,
    resolve: (_root, { username }, context) =>
      findAudience(context.deps.db, { username, viewerId: requireUser(context) }),
  }),
}));

builder.mutationFields((t) => ({
  react: t.boolean({
    description: 'Adds your reaction. Changes nothing if it exists. Errors: NOT_FOUND, RATE_LIMITED, SUSPENDED.',
    args: reactionArgs,
    resolve: returnTrueAfter(({ slug, kind }, context) =>
      addReaction(context.deps, { userId: requireUser(context), slug, kind }),
    ),
  }),
  unreact: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description: 'Removes your reaction. Changes nothing if there is none. Errors: NOT_FOUND.',
    args: reactionArgs,
    resolve: returnTrueAfter(({ slug, kind }, context) =>
      unreact(context.deps.db, { userId: requireUser(context), slug, kind }),
    ),
  }),
  follow: t.boolean({
    description:
      'Follows an author. Changes nothing if you already do. Errors: NOT_FOUND, OWN_PROFILE, RATE_LIMITED, SUSPENDED.',
    args: authorArg,
    resolve: returnTrueAfter(({ username }, context) =>
      followAuthor(context.deps, { followerId: requireUser(context), username }),
    ),
  }),
  unfollow: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description: 'Unfollows an author. Changes nothing if you do not follow them. Errors: NOT_FOUND.',
    args: authorArg,
    resolve: returnTrueAfter(({ username }, context) =>
      unfollow(context.deps.db, { followerId: requireUser(context), username }),
    ),
  }),
}));
