/** GraphQL fields that list notifications, mark them as read and change preferences. */
import { countUnread, listNewestNotifications } from '../../store/notifications/list.ts';
import { markRead } from '../../store/notifications/mark-read.ts';
import {
  changePreference,
  listPreferences,
  NOTIFICATION_TYPES,
  type NotificationPreference as PreferenceRow,
} from '../../store/notifications/preferences.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../graphql/builder.ts';
import { requireUser } from '../graphql/context.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../graphql/pages.ts';
import '../graphql/date-time.ts';

const NotificationType = builder.enumType('NotificationType', {
  description: 'What happened.',
  values: {
    NEW_COMMENT: { description: 'A reader commented on your article.' },
    COMMENT_REPLY: { description: 'Somebody replied to your comment.' },
    ACCEPTED_ANSWER: { description: 'The author of an article accepted your comment as the answer.' },
    NEW_FOLLOWER: { description: 'Somebody follows you.' },
    CROSS_POST_SUCCESS: { description: 'Your article is at a destination.' },
    CROSS_POST_FAILED: { description: 'A destination does not take your article.' },
    FEATURED_ROUNDUP: { description: 'Your article is in the weekly roundup.' },
  } as const satisfies Record<(typeof NOTIFICATION_TYPES)[number], { description: string }>,
});

type NotificationRow = Awaited<ReturnType<typeof listNewestNotifications>>[number];

const Notification = builder.objectRef<NotificationRow>('Notification').implement({
  description: 'Something that happened to you, or to what you wrote.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'That of the event on the stream.' }),
    type: t.expose('type', { type: NotificationType, description: 'What happened.' }),
    postTitle: t.string({
      description: 'The title of the article; empty where it is about none.',
      resolve: ({ payload }) => payload.postTitle ?? '',
    }),
    actorName: t.string({
      nullable: true,
      description: 'Who caused it, where a person did.',
      resolve: ({ payload }) => payload.actorName ?? null,
    }),
    platform: t.string({
      nullable: true,
      description: 'The destination in upper case, of cross-posts.',
      resolve: ({ payload }) => payload.platform ?? null,
    }),
    sharedUrl: t.string({
      nullable: true,
      description: 'Where the copy is, of cross-posts that succeeded.',
      resolve: ({ payload }) => payload.sharedUrl ?? null,
    }),
    reason: t.string({
      nullable: true,
      description: 'Why, and what to do, of cross-posts that failed.',
      resolve: ({ payload }) => payload.reason ?? null,
    }),
    url: t.string({
      nullable: true,
      description: 'Where it can be seen on this site; null where there is no such place.',
      resolve: ({ link }, _args, { deps }) => (link === null ? null : `${deps.config.baseUrl}${link}`),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    readAt: t.expose('readAt', { type: 'DateTime', nullable: true, description: 'Null while it is unread.' }),
  }),
});

const NotificationConnection = createConnectionType(Notification, {
  name: 'Notification',
  description: 'A page of notifications.',
  edge: 'A notification in a list.',
});

builder.queryField('notifications', (t) =>
  t.field({
    type: NotificationConnection,
    complexity: pageCost,
    description: 'What happened, the newest first; kept for 180 days. Errors: BAD_CURSOR, BAD_INPUT.',
    args: pageArgs,
    resolve: (_root, args, context) => {
      const userId = requireUser(context);
      return readPage({
        args,
        list: ['notifications', userId],
        readPosition: ({ number }) => (Number.isSafeInteger(number) ? { number: Number(number) } : null),
        load: (limit, after) => listNewestNotifications(context.deps.db, { userId, before: after?.number ?? null, limit }),
        locate: ({ number }) => ({ number }),
      });
    },
  }),
);

builder.queryField('unreadNotifications', (t) =>
  t.int({
    description: 'How many are unread.',
    resolve: (_root, _args, context) => countUnread(context.deps.db, requireUser(context)),
  }),
);

builder.mutationField('markRead', (t) =>
  t.int({
    ...ALLOW_UNCONFIRMED_FIELD,
    description:
      'Marks notifications of yours as read: all, or those that are given. Answers how many are unread then.',
    args: {
      ids: t.arg.idList({ description: 'These only.' }),
      upTo: t.arg.id({ description: 'This one and what happened before it only: nothing that was not shown yet.' }),
    },
    resolve: async (_root, { ids, upTo }, context) => {
      const { db, now } = context.deps;
      const userId = requireUser(context);
      await markRead(db, { userId, ids: ids ?? undefined, upTo: upTo ?? undefined, now: now() });
      return countUnread(db, userId);
    },
  }),
);

const NotificationPreference = builder.objectRef<PreferenceRow>('NotificationPreference').implement({
  description: 'Where you are told of one type of notification. All of them are listed, whatever this says.',
  fields: (t) => ({
    type: t.expose('type', { type: NotificationType, description: 'Which type.' }),
    stream: t.exposeBoolean('stream', {
      description: 'Whether it is sent to event streams. Where it is not, it is read from the beginning.',
    }),
    digest: t.exposeBoolean('digest', {
      nullable: true,
      description: 'Whether the digest tells of it; null of the types that no digest tells of.',
    }),
  }),
});

builder.queryField('notificationPreferences', (t) =>
  t.field({
    type: [NotificationPreference],
    complexity: { field: 1, multiplier: NOTIFICATION_TYPES.length },
    description: 'Where you are told of what: an entry for every type.',
    resolve: (_root, _args, context) => listPreferences(context.deps.db, requireUser(context)),
  }),
);

builder.mutationField('setNotificationPreference', (t) =>
  t.field({
    ...ALLOW_UNCONFIRMED_FIELD,
    type: [NotificationPreference],
    complexity: { field: 1, multiplier: NOTIFICATION_TYPES.length },
    description: 'Changes where you are told of a type, from now on. What is not given stays. Errors: NOT_IN_DIGEST.',
    args: {
      type: t.arg({ type: NotificationType, required: true, description: 'Which type.' }),
      stream: t.arg.boolean({ description: 'Whether it is sent to event streams.' }),
      digest: t.arg.boolean({ description: 'Whether the digest tells of it.' }),
    },
    resolve: async (_root, { type, stream, digest }, context) => {
      const { db } = context.deps;
      const userId = requireUser(context);
      await changePreference(db, {
        userId,
        type,
        ...(stream != null && { stream }),
        ...(digest != null && { digest }),
      });
      return listPreferences(db, userId);
    },
  }),
);
