/** Mutants of notifications: one per outcome, in order, to the right person, on every stream. */
import type { MutatedFile } from '../mutant.ts';

export const NOTIFICATIONS: readonly MutatedFile[] = [
  {
    file: 'store/notifications/add.ts',
    tests: ['test/store/notifications/notifications.test.ts'],
    mutants: [
      {
        mistake: 'a notification that its recipient has disabled counts as unread',
        from: 'case when not preference.on_stream then ${now}::timestamptz end',
        to: 'null::timestamptz',
        tests: [
          'test/store/notifications/notifications.test.ts',
          'test/api/accounts/profiles.test.ts',
          'test/api/notifications/notifications.test.ts',
        ],
      },
      {
        mistake: 'a disabled notification is announced',
        from: '::text) where on_stream)`',
        to: '::text))`',
      },
      {
        mistake: 'a deleted account is notified',
        from: `.where('deletedAt', 'is', null),`,
        to: ',',
        tests: ['test/store/notifications/notifications.test.ts', 'test/workflows/accounts/deleted-account.test.ts'],
      },
      {
        mistake: 'every notification has the same number',
        from: `eb('notificationCounters.lastNumber', '+', 1)`,
        to: `eb('notificationCounters.lastNumber', '+', 0)`,
      },
    ],
  },
  {
    file: 'store/notifications/announce.ts',
    tests: ['test/store/notifications/notifications.test.ts', 'test/api/notifications/notifications.test.ts'],
    mutants: [
      {
        mistake: 'a long notification fails its publish',
        from: '+ MAX_NUMBER_DIGITS <= MAX_PAYLOAD_BYTES',
        to: '<= 1e9',
      },
      {
        mistake: 'the length of an announcement is measured in characters instead of bytes',
        from: 'Buffer.byteLength(before + after)',
        to: '(before + after).length',
      },
    ],
  },
  {
    file: 'store/notifications/list.ts',
    tests: ['test/store/notifications/notifications.test.ts', 'test/api/notifications/event-hub.test.ts'],
    mutants: [
      {
        mistake: 'a stream receives the last notification again',
        from: 'number > requested.after and',
        to: 'number >= asked.after and',
      },
      {
        mistake: 'a withdrawn notification is sent',
        from: 'and on_stream and withdrawn_at is null order',
        to: 'and on_stream order',
        tests: ['test/store/notifications/notifications.test.ts'],
      },
      {
        mistake: 'a notification that is disabled on the stream is sent there',
        from: 'and on_stream and withdrawn_at',
        to: 'and withdrawn_at',
        tests: [
          'test/store/notifications/notifications.test.ts',
          'test/api/notifications/notifications.test.ts',
          'test/api/accounts/profiles.test.ts',
        ],
      },
      {
        mistake: 'a user can read the notifications of another user',
        from: `.where('userId', '=', userId)\n    .where('withdrawnAt', 'is', null)\n    .$if`,
        to: `.where('withdrawnAt', 'is', null)\n    .$if`,
        tests: ['test/store/notifications/notifications.test.ts', 'test/api/graphql/ownership.test.ts'],
      },
    ],
  },
  {
    file: 'store/notifications/mark-read.ts',
    tests: [
      'test/store/notifications/notifications.test.ts',
      'test/api/graphql/graphql.test.ts',
      'test/api/graphql/ownership.test.ts',
    ],
    mutants: [
      {
        mistake: 'notifications newer than the displayed list are marked as read',
        from: `'<=',\n        sql<number>\`(select`,
        to: `'>=',\n        sql<number>\`(select`,
      },
      {
        mistake: 'a user can mark the notifications of another user',
        from: `.where('userId', '=', userId)\n    .where('readAt'`,
        to: `.where('readAt'`,
      },
    ],
  },
  {
    file: 'api/notifications/stream/event-hub.ts',
    tests: ['test/api/notifications/event-hub.test.ts'],
    mutants: [
      {
        mistake: 'a repeated announcement reads the database',
        from: ' || stream.sent >= number) continue;',
        to: ') continue;',
      },
      {
        mistake: 'an early announcement skips earlier notifications',
        from: 'const isNext = !stream.isReading && stream.sent === number - 1;',
        to: 'const isNext = true;',
      },
      {
        mistake: 'a notification that arrives during a read is not sent',
        from: 'stream.shouldReadAgain = true;\n    if (stream.isReading) return;',
        to: 'if (stream.isReading) return;\n    stream.shouldReadAgain = true;',
      },
      {
        mistake: 'more than one batch is not sent',
        from: 'if (rows.length === BATCH_SIZE) stream.shouldReadAgain = true;',
        to: '',
        tests: [
          'test/api/notifications/event-hub.test.ts',
          'test/api/notifications/notifications.test.ts',
          'test/api/notifications/cut-streams.test.ts',
        ],
      },
      {
        mistake: 'nothing is read after a reconnection',
        from: 'else void sendNew(stream);',
        to: '',
        tests: [
          'test/api/notifications/event-hub.test.ts',
          'test/api/notifications/half-open-listener.test.ts',
          'test/api/background/database-restart.test.ts',
        ],
      },
      {
        mistake: 'desk pages do not reload after a lost LISTEN connection',
        from: `if (stream.kind === 'desk') writeChange(stream, { event: 'reload' });`,
        to: `if (stream.kind === 'desk') continue;`,
        tests: ['test/api/notifications/stream.test.ts'],
      },
      {
        mistake: 'a stream opens for a session that has just ended',
        from: 'if (isClosed || isEnded) {',
        to: 'if (isClosed) {',
        tests: ['test/api/notifications/ended-streams.test.ts'],
      },
    ],
  },
  {
    file: 'api/notifications/stream/event-stream.ts',
    tests: ['test/api/notifications/event-hub.test.ts', 'test/api/notifications/notifications.test.ts'],
    mutants: [
      {
        mistake: 'a client that is disconnected before its first event misses events',
        from: 'after === undefined',
        to: 'true',
      },
      {
        mistake: 'events for a page that does not read are buffered without limit',
        from: 'if (isFull(stream)) stream',
        to: 'if (false) stream',
      },
      {
        mistake: 'an event has no number',
        from: 'event: notification\\nid: ${number}\\n',
        to: 'event: notification\\n',
      },
    ],
  },
  {
    file: 'store/follows/follow.ts',
    tests: ['test/store/follows/follow.test.ts'],
    mutants: [
      {
        mistake: 'each repeated follow sends a notification',
        from: 'if (!followed || (await wasNotified(tx, pair, now))) return;',
        to: 'if (!followed) return;',
      },
      { mistake: 'users can follow themselves', from: 'if (author.id === followerId) {', to: 'if (false) {' },
    ],
  },
  {
    file: 'store/comments/add-comment.ts',
    tests: ['test/store/comments/comments.test.ts'],
    mutants: [
      { mistake: 'a repeated request creates a second comment', from: 'if (repeated) return repeated;', to: '' },
      {
        mistake: 'authors are notified of their own comments',
        from: 'if (recipient === null || recipient === userId) return { id };',
        to: 'if (recipient === null) return { id };',
      },
      {
        mistake: 'a reply notifies the author of the article',
        from: 'const recipient = parent === null ? article.authorId : parent.userId;',
        to: 'const recipient = article.authorId;',
      },
    ],
  },
];
