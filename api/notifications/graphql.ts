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
import { ALLOW_UNCONFIRMED_FIELD, builder, exposeFields } from '../graphql/builder.ts';
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

function describeNotification({ payload, ...row }: Awaited<ReturnType<typeof listNewestNotifications>>[number]) {
  const { postTitle = '', actorName = null, platform = null, sharedUrl = null, reason = null } = payload;
  return { ...row, postTitle, actorName, platform, sharedUrl, reason };
}

const Notification = builder.objectRef<ReturnType<typeof describeNotification>>('Notification').implement({
  description: 'An event that concerns you or your articles and comments.',
  fields: (t) => ({
    ...exposeFields(t, {
      id: ['ID!', 'The id of the event in the stream.'],
      postTitle: ['String!', 'The title of the article; empty if the event has none.'],
      actorName: ['String', 'The person who caused the event, if any.'],
      platform: ['String', 'The destination key in upper case, for cross-posts.'],
      sharedUrl: ['String', 'The URL of the copy, for delivered cross-posts.'],
      reason: ['String', 'The cause and the next step, for failed cross-posts.'],
      createdAt: ['DateTime!', 'When the event was stored.'],
      readAt: ['DateTime', 'Null if unread.'],
    }),
    type: t.expose('type', { type: NotificationType, description: 'The event.' }),
    url: t.string({
      nullable: true,
      description: 'The URL of the subject on this site; null if there is none.',
      resolve: ({ link }, _args, { deps }) => (link === null ? null : `${deps.config.baseUrl}${link}`),
    }),
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
    ...exposeFields(t, {
      stream: ['Boolean!', 'Whether event streams receive it. If not, it counts as read.'],
      digest: ['Boolean', 'Whether the digest includes it; null for types that no digest includes.'],
    }),
    type: t.expose('type', { type: NotificationType, description: 'The type.' }),
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
        load: async (limit, after) => {
          const page = { userId, before: after?.number ?? null, limit };
          return (await listNewestNotifications(context.deps.db, page)).map(describeNotification);
        },
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
