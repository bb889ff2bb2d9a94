/** GraphQL fields that list notifications, mark them as read and change preferences. */
import { countUnread, listNewestNotifications, markRead } from '../../store/notifications/list.ts';
import {
  changePreference,
  listPreferences,
  type NotificationPreference as PreferenceRow,
} from '../../store/notifications/preferences.ts';
import {
  NOTIFICATION_TYPES,
  NOTIFICATIONS,
  type NotificationType as StoredType,
} from '../../store/notifications/types.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../graphql/builder.ts';
import { requireUser } from '../graphql/context.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../graphql/pages.ts';

const NotificationType = builder.enumType('NotificationType', {
  description: 'The event of a notification.',
  values: Object.fromEntries(
    NOTIFICATION_TYPES.map((type) => [
      type,
      { description: `${NOTIFICATIONS[type].description}. Sent to the ${NOTIFICATIONS[type].receiver}.` },
    ]),
  ) as Record<StoredType, { description: string }>,
});

type NotificationRow = Awaited<ReturnType<typeof listNewestNotifications>>[number];

const Notification = builder.objectRef<NotificationRow>('Notification').implement({
  description: 'An event that concerns you or your articles and comments.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the event in the stream.' }),
    type: t.expose('type', { type: NotificationType, description: 'The event.' }),
    postTitle: t.string({
      description: 'The title of the article; empty if the event has none.',
      resolve: ({ payload }) => payload.postTitle ?? '',
    }),
    actorName: t.string({
      nullable: true,
      description: 'The person who caused the event, if any.',
      resolve: ({ payload }) => payload.actorName ?? null,
    }),
    platform: t.string({
      nullable: true,
      description: 'The destination key in upper case, for cross-posts.',
      resolve: ({ payload }) => payload.platform ?? null,
    }),
    sharedUrl: t.string({
      nullable: true,
      description: 'The URL of the copy, for delivered cross-posts.',
      resolve: ({ payload }) => payload.sharedUrl ?? null,
    }),
    reason: t.string({
      nullable: true,
      description: 'The cause and the next step, for failed cross-posts.',
      resolve: ({ payload }) => payload.reason ?? null,
    }),
    url: t.string({
      nullable: true,
      description: 'The URL of the subject on this site; null if there is none.',
      resolve: ({ link }, _args, { deps }) => (link === null ? null : `${deps.config.baseUrl}${link}`),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the event was stored.' }),
    readAt: t.expose('readAt', { type: 'DateTime', nullable: true, description: 'Null if unread.' }),
  }),
});

const NotificationConnection = createConnectionType(Notification, {
  name: 'Notification',
  description: 'A page of notifications.',
  edge: 'A notification in a list.',
});

const NotificationPreference = builder.objectRef<PreferenceRow>('NotificationPreference').implement({
  description: 'Where notifications of one type appear beside the list, which contains all.',
  fields: (t) => ({
    type: t.expose('type', { type: NotificationType, description: 'The type.' }),
    stream: t.exposeBoolean('stream', {
      description: 'Whether event streams receive it. If not, it counts as read.',
    }),
    digest: t.exposeBoolean('digest', {
      nullable: true,
      description: 'Whether the digest includes it; null for types that no digest includes.',
    }),
  }),
});

builder.queryFields((t) => ({
  notifications: t.field({
    type: NotificationConnection,
    complexity: pageCost,
    description: 'Your notifications, newest first, stored for 180 days. Errors: BAD_CURSOR, BAD_INPUT.',
    args: pageArgs,
    resolve: (_root, args, context) => {
      const userId = requireUser(context);
      return readPage({
        args,
        list: ['notifications', userId],
        readPosition: ({ number }) => (Number.isSafeInteger(number) ? { number: Number(number) } : null),
        load: (limit, after) =>
          listNewestNotifications(context.deps.db, { userId, before: after?.number ?? null, limit }),
        locate: ({ number }) => ({ number }),
      });
    },
  }),
  unreadNotifications: t.int({
    description: 'The number of unread notifications.',
    resolve: (_root, _args, context) => countUnread(context.deps.db, requireUser(context)),
  }),
  notificationPreferences: t.field({
    type: [NotificationPreference],
    complexity: { field: 1, multiplier: NOTIFICATION_TYPES.length },
    description: 'Your preferences, one entry per type.',
    resolve: (_root, _args, context) => listPreferences(context.deps.db, requireUser(context)),
  }),
}));

builder.mutationFields((t) => ({
  markRead: t.int({
    ...ALLOW_UNCONFIRMED_FIELD,
    description:
      'Marks your notifications as read: all, or only those listed. Returns the number that is still unread.',
    args: {
      ids: t.arg.idList({ description: 'Only these.' }),
      upTo: t.arg.id({
        description: 'Only this one and earlier ones, so that notifications not shown yet stay unread.',
      }),
    },
    resolve: async (_root, { ids, upTo }, context) => {
      const { db, now } = context.deps;
      const userId = requireUser(context);
      await markRead(db, { userId, ids: ids ?? undefined, upTo: upTo ?? undefined, now: now() });
      return countUnread(db, userId);
    },
  }),
  setNotificationPreference: t.field({
    ...ALLOW_UNCONFIRMED_FIELD,
    type: [NotificationPreference],
    complexity: { field: 1, multiplier: NOTIFICATION_TYPES.length },
    description:
      'Changes the preferences for later notifications of a type. Omitted arguments stay unchanged. Errors: NOT_IN_DIGEST.',
    args: {
      type: t.arg({ type: NotificationType, required: true, description: 'The type.' }),
      stream: t.arg.boolean({ description: 'Whether event streams receive it.' }),
      digest: t.arg.boolean({ description: 'Whether the digest includes it.' }),
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
}));
