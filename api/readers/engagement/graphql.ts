/** GraphQL fields for reactions, comment counts and page views of an article. */
import { requirePublicArticle } from '../../../store/articles/find-public.ts';
import { countComments } from '../../../store/comments/list-comments.ts';
import { isOpen } from '../../../store/comments/open-comments.ts';
import { countReactions, type ReactionCount as ReactionCountRow, unreact } from '../../../store/reactions/react.ts';
import { listPageViews, type PageViewDay as ReadingDayRow } from '../../../store/readings/list-readings.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { createGraphqlError } from '../../graphql/errors.ts';
import { addReaction } from './react.ts';

const ReactionKind = builder.enumType('ReactionKind', {
  description: 'What one may say about an article without words.',
  values: {
    like: { description: 'A good one.' },
    love: { description: 'One of the best.' },
    insightful: { description: 'Something was learned.' },
    celebrate: { description: 'Congratulations.' },
  } as const,
});

const ReactionCount = builder.objectRef<ReactionCountRow>('ReactionCount').implement({
  description: 'How many people gave one kind of reaction.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ReactionKind, description: 'Which.' }),
    count: t.exposeInt('count', { description: 'How many people.' }),
    isMine: t.exposeBoolean('isMine', { description: 'Whether you are one of them.' }),
  }),
});

interface EngagementRow {
  comments: number;
  commentsOpen: boolean;
  reactions: ReactionCountRow[];
}

const Engagement = builder.objectRef<EngagementRow>('Engagement').implement({
  description: 'What readers said about an article.',
  fields: (t) => ({
    comments: t.exposeInt('comments', { description: 'How many comments can be read.' }),
    commentsOpen: t.exposeBoolean('commentsOpen', { description: 'Whether more can be added.' }),
    reactions: t.expose('reactions', { type: [ReactionCount], description: 'One entry for every kind.' }),
  }),
});

const slugArg = builder.args((t) => ({
  slug: t.string({ required: true, description: 'Of a public article.' }),
}));

builder.queryField('engagement', (t) =>
  t.field({
    type: Engagement,
    description: 'What readers said about an article. Errors: NOT_FOUND.',
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
);

const reactionArgs = builder.args((t) => ({
  slug: t.string({ required: true, description: 'Of a public article.' }),
  kind: t.field({ type: ReactionKind, required: true, description: 'Which reaction.' }),
}));

builder.mutationField('react', (t) =>
  t.boolean({
    description: 'Gives a reaction. Given already, it changes nothing. Errors: NOT_FOUND, RATE_LIMITED, SUSPENDED.',
    args: reactionArgs,
    resolve: async (_root, { slug, kind }, context) => {
      await addReaction(context.deps, { userId: requireUser(context), slug, kind });
      return true;
    },
  }),
);

builder.mutationField('unreact', (t) =>
  t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description: 'Takes a reaction back. Where there is none, it changes nothing. Errors: NOT_FOUND.',
    args: reactionArgs,
    resolve: async (_root, { slug, kind }, context) => {
      await unreact(context.deps.db, { userId: requireUser(context), slug, kind });
      return true;
    },
  }),
);

const ReadingHost = builder.objectRef<{ host: string; views: number }>('ReadingHost').implement({
  description: 'Where readers came from.',
  fields: (t) => ({
    host: t.exposeString('host', {
      description: 'A site; direct where none sent them, other for what is beyond a hundred.',
    }),
    views: t.exposeInt('views', { description: 'How many of the views.' }),
  }),
});

const ReadingDay = builder.objectRef<ReadingDayRow>('ReadingDay').implement({
  description: 'How an article was read on one day.',
  fields: (t) => ({
    day: t.exposeString('day', { description: 'As 2026-11-23, in the zone of your digest.' }),
    views: t.exposeInt('views', { description: 'Readers: each counts once a day.' }),
    readingSeconds: t.exposeInt('readingSeconds', { description: 'For how long they read, together.' }),
    hosts: t.expose('hosts', {
      type: [ReadingHost],
      complexity: { field: 1, multiplier: 10 },
      description: 'Where they came from, the most frequent first.',
    }),
  }),
});

const MAX_DAYS = 90;

builder.queryField('readings', (t) =>
  t.field({
    type: [ReadingDay],
    complexity: ({ days }) => ({ field: 1, multiplier: Math.min(MAX_DAYS, Math.max(1, days ?? 1)) }),
    description: 'How an article of yours was read: the newest days that had readers. Errors: NOT_FOUND, BAD_INPUT.',
    args: {
      slug: t.arg.string({ required: true, description: 'Of an article of yours.' }),
      days: t.arg.int({ defaultValue: 7, description: `How many: 1 to ${MAX_DAYS}.` }),
    },
    resolve: (_root, { slug, days }, context) => {
      const limit = days ?? 7;
      if (limit < 1 || limit > MAX_DAYS) {
        throw createGraphqlError('BAD_INPUT', `days must be 1 to ${MAX_DAYS}.`, { field: 'days' });
      }
      return listPageViews(context.deps.db, { authorId: requireUser(context), slug, days: limit });
    },
  }),
);
