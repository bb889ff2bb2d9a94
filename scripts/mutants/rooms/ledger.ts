/** The ledger of the deliveries: marks, answers, records and commands. */
import type { MutatedFile } from '../mutant.ts';

export const LEDGER: readonly MutatedFile[] = [
  {
    file: 'store/deliveries/record-outcome.ts',
    tests: ['test/store/deliveries/late-records.test.ts'],
    mutants: [
      {
        mistake: 'a success is recorded of an attempt that was made void',
        from: 'if (row.sent === null) return null;',
        to: `if (row.sent === null) return { upToDate: true };`,
        tests: ['test/store/deliveries/answers.test.ts'],
      },
      {
        mistake: 'a late record of an absence is believed',
        from: 'await withAttempt(db, absent,',
        to: `await withAttempt(db, { ...absent, attempt: (await db.selectFrom('deliveries').select('attempts').where('id', '=', absent.deliveryId).executeTakeFirstOrThrow()).attempts },`,
      },
      {
        mistake: 'a late record of a found post is believed',
        from: 'await withAttempt(db, adopted,',
        to: `await withAttempt(db, { ...adopted, attempt: (await db.selectFrom('deliveries').select('attempts').where('id', '=', adopted.deliveryId).executeTakeFirstOrThrow()).attempts },`,
      },
      {
        mistake: 'a found post takes the place of the one that is known',
        from: 'if (row.remoteId !== null) return;',
        to: '',
      },
      {
        mistake: 'the absence of a create is recorded for an update',
        from: `if (row.sent?.action !== 'create') return;`,
        to: '',
      },
      {
        mistake: 'a delivery recorded twice notifies of what was not sent',
        from: 'if (row.sent === null) return null;',
        to: 'if (row.sent === null) row.sent = { action: "create", hash: "", revision: 0 };',
      },
      {
        mistake: 'an old revision that arrives counts as the newest',
        from: 'const isNewest = row.sent.revision === row.revision;',
        to: 'const isNewest = true;',
      },
      {
        mistake: 'a draft that was delivered meanwhile stays public',
        from: `upToDate: row.status === 'PUBLISHED' && isNewest && !row.withdrawRequested`,
        to: 'upToDate: isNewest && !row.withdrawRequested',
      },
      {
        mistake: 'a found post is taken to carry the article',
        from: `state: 'stale',\n        remoteId: remote.remoteId,`,
        to: `state: 'delivered',\n        remoteId: remote.remoteId,`,
      },
      {
        mistake: 'a post that was deleted keeps its id',
        from: '...(deleted ? POST_IS_GONE : {})',
        to: '',
      },
    ],
  },
  {
    file: 'store/deliveries/row.ts',
    tests: ['test/store/deliveries/late-records.test.ts'],
    mutants: [
      {
        mistake: 'a record that comes late counts',
        from: 'return row && (row.sent !== null || row.attempts === attempt) ? record(tx, row, commitWith) : null;',
        to: 'return row ? record(tx, row, commitWith) : null;',
      },
    ],
  },
  {
    file: 'store/deliveries/record-failure.ts',
    tests: ['test/store/deliveries/late-records.test.ts'],
    mutants: [
      {
        mistake: 'a create that may have happened is closed by a retry',
        from: `if (!stillInFlight) await endAttempt(tx, retry,`,
        to: 'await endAttempt(tx, retry,',
      },
      {
        mistake: 'an unknown outcome is closed, so that the next publish makes a second post',
        from: `if (state === 'failed') await endAttempt(tx, outcome,`,
        to: 'await endAttempt(tx, outcome,',
      },
      {
        mistake: 'after a success its author is told that nobody knows',
        from: `if (state === 'unknown' && row.sent === null) return false;`,
        to: '',
      },
      {
        mistake: 'a refused look-up closes the create that it was about',
        from: 'if (isCurrent && !outcome.stillInFlight) {',
        to: 'if (isCurrent) {',
      },
      {
        mistake: 'each delivery tells of the same refused credential',
        from: `if (refusal === 'marked before') return true;`,
        to: '',
      },
    ],
  },
  {
    file: 'store/deliveries/mark-attempt.ts',
    tests: ['test/store/deliveries/mark-attempt.test.ts'],
    mutants: [
      {
        mistake: 'a suspended author publishes',
        from: `selectDue(db, planned).where('users.suspendedAt', 'is', null)`,
        to: 'selectDue(db, planned)',
      },
      {
        mistake: 'an edit while an attempt is prepared is overlooked',
        from: `.where('articles.revision', '=', planned.revision)`,
        to: '',
      },
      {
        mistake: 'another worker’s attempt is overlooked',
        from: `.where('deliveries.attempts', '=', planned.attempt)`,
        to: '',
      },
      {
        mistake: 'a new credential is overlooked',
        from: `.where('generation', '=', credentialVersion)`,
        to: '',
      },
      {
        mistake: 'a request is marked for a second repeat',
        from: `.where('repeatedAt', 'is', null)`,
        to: '',
        tests: ['test/store/deliveries/repeated-attempt.test.ts', 'test/store/deliveries/marked-attempt.test.ts'],
      },
      {
        mistake: 'a request is repeated when the platform has forgotten it',
        from: `.where('startedAt', '>', sql<Date>`,
        to: `.where('startedAt', '<', sql<Date>`,
        tests: ['test/store/deliveries/repeated-attempt.test.ts', 'test/store/deliveries/marked-attempt.test.ts'],
      },
    ],
  },
  {
    file: 'store/deliveries/end-attempt.ts',
    tests: ['test/store/deliveries/answers.test.ts'],
    mutants: [
      {
        mistake: 'a second answer takes the place of the first',
        from: `.where('answer', 'is', null)\n      .returning`,
        to: '.returning',
      },
      {
        mistake: 'an answer for a former account is forgotten',
        from: 'if (delivery && attempt && delivery.accountId !== attempt.accountId) {',
        to: 'if (delivery && attempt && delivery.accountId === attempt.accountId && false) {',
      },
      {
        mistake: 'a withdrawn post that an update of unknown outcome put back is named to nobody',
        from: `new Set(['done', 'unknown'])`,
        to: 'new Set()',
        tests: ['test/store/deliveries/copies.test.ts'],
      },
      {
        mistake: 'a withdrawn post counts as live because its update was refused',
        from: `!MAY_HAVE_DONE.has(attempt.answer?.kind ?? 'unknown')`,
        to: 'false',
        tests: ['test/store/deliveries/copies.test.ts'],
      },
    ],
  },
  {
    file: 'store/deliveries/left-behind.ts',
    tests: ['test/store/connections/move-deliveries.test.ts'],
    mutants: [
      {
        mistake: 'the late answer of a withdrawal hides a copy that was published again since',
        from: `.where('later.number', '>', number)`,
        to: `.where('later.number', '<', number)`,
      },
      {
        mistake: 'a withdrawal that was sent twice is not believed',
        from: `.where('later.action', '!=', 'withdraw')`,
        to: '',
      },
    ],
  },
  {
    file: 'store/deliveries/situation.ts',
    tests: [
      'test/store/deliveries/marked-attempt.test.ts',
      'test/store/deliveries/commands.test.ts',
      'test/store/connections/move-deliveries.test.ts',
    ],
    mutants: [
      {
        mistake: 'an older text is sent as the newer revision',
        from: 'if (row.revision !== deliverable.revision) return loadDelivery(db, key, baseUrl);',
        to: '',
        tests: ['test/store/deliveries/read-together.test.ts'],
      },
      {
        mistake: 'a repeated request settles as if it had been sent once',
        from: 'coalesce(t.repeated_at, t.started_at)',
        to: 't.started_at',
        tests: ['test/store/deliveries/repeated-attempt.test.ts', 'test/store/deliveries/marked-attempt.test.ts'],
      },
      {
        mistake: 'an attempt at a former account counts as one at this account',
        from: 'from delivery_attempts t where ${AT_ACCOUNT} and t.ended_at is null`;',
        to: 'from delivery_attempts t where t.delivery_id = deliveries.id and t.ended_at is null`;',
      },
      {
        mistake: 'an order to overwrite is not heeded',
        from: `row.overwrite || row.inFlight?.action === 'update' ? null`,
        to: `row.inFlight?.action === 'update' ? null`,
      },
    ],
  },
  {
    file: 'store/deliveries/commands.ts',
    tests: ['test/store/deliveries/commands.test.ts'],
    mutants: [
      {
        mistake: 'somebody commands another author’s delivery',
        from: `.where('articles.authorId', '=', authorId)`,
        to: '',
        tests: ['test/store/deliveries/commands.test.ts', 'test/api/graphql/ownership.test.ts'],
      },
      {
        mistake: 'what is still looked for is settled',
        from: `if (row.state === 'delivering')\n      throw`,
        to: `if (row.state === 'delivered')\n      throw`,
      },
      {
        mistake: 'a post of another article is settled as this one’s',
        from: 'if (finding && (await isRemotePostTaken(',
        to: 'if (!finding && (await isRemotePostTaken(',
      },
      {
        mistake: 'a command does not wake its delivery',
        from: 'await enqueueDelivery(tx, target.articleId, target.destination);',
        to: '',
      },
      {
        mistake: 'an attempt that was planned before a withdrawal begins after it',
        from: '...markUnhandled(row),\n        ...voidPlannedAttempt(row),',
        to: '...markUnhandled(row),',
        tests: ['test/store/deliveries/mark-attempt.test.ts'],
      },
    ],
  },
  {
    file: 'store/deliveries/stalled.ts',
    tests: ['test/store/deliveries/stalled.test.ts', 'test/store/deliveries/stalled-situations.test.ts'],
    mutants: [
      {
        mistake: 'a delivery is woken once for each search',
        from: 'where not exists (select from outbox o where o.article_id = f.id)',
        to: 'where true',
      },
      {
        mistake: 'the schedules of suspended authors fill the search',
        from: `< \${at} + \${AHEAD} and u.suspended_at is null`,
        to: `< \${at} + \${AHEAD}`,
      },
    ],
  },
  {
    file: 'store/deliveries/post-owner.ts',
    tests: ['test/store/deliveries/post-owner.test.ts'],
    mutants: [
      {
        mistake: 'the word of a server about an account counts for another server',
        from: 'and k.destination = a.destination and k.origin = a.origin',
        to: 'and k.destination = a.destination',
      },
      {
        mistake: 'an account that nobody has verified owns posts',
        from: `and a.identity not like 'unverified:%'`,
        to: '',
      },
    ],
  },
];
