/** The ledger, the lines of the accounts, the outbox and the publish transaction. */
import type { MutatedFile } from '../mutant.ts';

export const STORE: readonly MutatedFile[] = [
  {
    file: 'store/deliveries/record-outcome.ts',
    tests: ['test/store/deliveries/repeated-attempt.test.ts', 'test/store/deliveries/marked-attempt.test.ts'],
    mutants: [
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
        from: 'if (row.sent === null) return false;',
        to: 'if (row.sent === null) row.sent = { action: "create", hash: "", revision: 0 };',
      },
      {
        mistake: 'an old revision that arrives counts as the newest',
        from: 'const isNewest = row.sent.revision === row.revision;',
        to: 'const isNewest = true;',
      },
      {
        mistake: 'a draft that was delivered meanwhile stays public',
        from: `return row.status === 'PUBLISHED' && isNewest && !row.withdrawRequested;`,
        to: 'return isNewest && !row.withdrawRequested;',
      },
      {
        mistake: 'a found post is taken to carry the article',
        from: `state: 'stale',\n        remoteId: remote.remoteId,`,
        to: `state: 'delivered',\n        remoteId: remote.remoteId,`,
      },
      {
        mistake: 'a post that was deleted keeps its id',
        from: '...(deleted ? gone : {})',
        to: '',
        tests: ['test/store/deliveries/copies.test.ts', 'test/workflows/commands-platforms.test.ts'],
      },
    ],
  },
  {
    file: 'store/deliveries/row.ts',
    tests: ['test/store/deliveries/repeated-attempt.test.ts', 'test/store/deliveries/marked-attempt.test.ts'],
    mutants: [
      {
        mistake: 'a record that comes late counts',
        from: 'return row && (row.sent !== null || row.attempts === key.attempt) ? record(tx, row) : null;',
        to: 'return row ? record(tx, row) : null;',
      },
    ],
  },
  {
    file: 'store/deliveries/record-failure.ts',
    tests: [
      'test/store/deliveries/marked-attempt.test.ts',
      'test/store/deliveries/repeated-attempt.test.ts',
      'test/workflows/broken-parts.test.ts',
    ],
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
        mistake: 'a refused look-up closes the create that it was about',
        from: 'if (isCurrent && !outcome.stillInFlight) {',
        to: 'if (isCurrent) {',
      },
      {
        mistake: 'each delivery tells of the same refused credential',
        from: `if (refusal === 'marked before') return true;`,
        to: '',
        tests: ['test/workflows/seven-notifications.test.ts', 'test/store/deliveries/marked-attempt.test.ts'],
      },
    ],
  },
  {
    file: 'store/deliveries/mark-attempt.ts',
    tests: ['test/store/deliveries/mark-attempt.test.ts'],
    mutants: [
      {
        mistake: 'a suspended author publishes',
        from: `.$if(action !== 'withdraw', (query) =>`,
        to: `.$if(action === 'withdraw', (query) =>`,
      },
      {
        mistake: 'an edit while an attempt is prepared is overlooked',
        from: `.where('articles.revision', '=', revision)`,
        to: '',
      },
      {
        mistake: 'another worker’s attempt is overlooked',
        from: `.where('deliveries.attempts', '=', delivery.attempt)`,
        to: '',
      },
      {
        mistake: 'a new credential is overlooked',
        from: `.where('generation', '=', connection.credentialVersion)`,
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
    tests: ['test/store/connections/posts-of-accounts.test.ts'],
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
  {
    file: 'store/connections/rate-slots.ts',
    tests: ['test/store/connections/rate-slots.test.ts', 'test/store/connections/line-rules.test.ts'],
    mutants: [
      {
        mistake: 'behind a block a burst goes out',
        from: 'isBlocked(account) ? blockedMs + toleranceMs : 0',
        to: 'isBlocked(account) ? blockedMs : 0',
      },
      {
        mistake: 'a delivery that asks again takes a second slot',
        from: 'const slotMs = own?.slotMs ?? (await takeSlot(tx, account, request));',
        to: 'const slotMs = await takeSlot(tx, account, request);',
      },
      {
        mistake: 'more call one account at once than it has places',
        from: '(await countCalls(tx, connectionId, deliveryId)) >= PLACES',
        to: '(await countCalls(tx, connectionId, deliveryId)) > PLACES',
      },
      {
        mistake: 'a shorter block shortens a longer one',
        from: 'set blocked_until = greatest(blocked_until, ${until})',
        to: 'set blocked_until = ${until}',
      },
    ],
  },
  {
    file: 'store/connections/refused-slot.ts',
    tests: ['test/store/connections/account-pause.test.ts', 'test/store/connections/line-rules.test.ts'],
    mutants: [
      {
        mistake: 'each of those refused at once lengthens the block',
        from: 'if (blockedMs > nowMs && laterMs <= SAME_BLOCK_MS) return blockedMs;',
        to: '',
      },
      {
        mistake: 'a destination that names no time is asked as often as ever',
        from: 'forMs >= NO_TIME_MS || refusals === 0 ? forMs',
        to: 'forMs >= 0 ? forMs',
      },
    ],
  },
  {
    file: 'store/connections/release-slot.ts',
    tests: ['test/store/connections/line-rules.test.ts', 'test/store/connections/rate-slots.test.ts'],
    mutants: [
      {
        mistake: 'a free place is given to two',
        from: 'if (isDue ? places-- <= 0 : index >= FRONT) continue;',
        to: 'if (isDue ? places <= 0 : index >= FRONT) continue;',
      },
      {
        mistake: 'refusals are counted for ever',
        from: `if (end === 'answered' && account.refusals > 0)`,
        to: `if (end === 'waits' && account.refusals > 0)`,
        tests: ['test/store/connections/account-pause.test.ts', 'test/store/connections/line-rules.test.ts'],
      },
    ],
  },
  {
    file: 'store/connections/move-deliveries.ts',
    tests: ['test/store/connections/move-deliveries.test.ts'],
    mutants: [
      {
        mistake: 'the posts of the former account are forgotten',
        from: 'await keepPosts(tx, ids);',
        to: '',
      },
      {
        mistake: 'what was planned for one account is sent to another',
        from: `.where('deliveries.accountId', 'is', null)\n    .execute();`,
        to: `.where('deliveries.accountId', 'is not', null)\n    .execute();`,
      },
    ],
  },
  {
    file: 'store/outbox/lease.ts',
    tests: ['test/store/outbox/lease.test.ts'],
    mutants: [
      {
        mistake: 'an entry is leased by two dispatchers',
        from: 'where leased_until is null or leased_until < now()',
        to: 'where true',
      },
      {
        mistake: 'dispatchers wait for one another',
        from: 'limit ${options.limit} for update skip locked',
        to: 'limit ${options.limit} for update',
      },
      {
        mistake: 'what a search has found goes before what somebody has done',
        from: 'order by may_wait, id',
        to: 'order by may_wait desc, id',
      },
      {
        mistake: 'an entry that always fails is tried as often as ever',
        from: `power(2, least(attempts, 10) - 1)`,
        to: 'power(2, 0)',
      },
    ],
  },
  {
    file: 'store/outbox/needs-actor.ts',
    tests: ['test/store/outbox/needs-actor.test.ts'],
    mutants: [
      {
        mistake: 'a schedule that is taken back keeps its timer',
        from: `status === 'SCHEDULED' || statusBefore === 'SCHEDULED'`,
        to: `status === 'SCHEDULED'`,
      },
      { mistake: 'a copy is not updated', from: 'if (hasDeliveries) return true;', to: '' },
    ],
  },
  {
    file: 'store/articles/publish/decide-state.ts',
    tests: ['test/api/publish/matching.test.ts', 'test/api/publish/schedules.test.ts'],
    mutants: [
      {
        mistake: 'a republish moves the time of the first publication',
        from: '(publishedAt ?? now)',
        to: 'now',
      },
      {
        mistake: 'a public article is taken back by a time in the future',
        from: `if (draft.status === 'SCHEDULED' && existing?.status === 'PUBLISHED') {`,
        to: `if (draft.status === 'SCHEDULED' && existing?.status === 'DRAFT') {`,
      },
    ],
  },
  {
    file: 'store/articles/publish/idempotency.ts',
    tests: ['test/api/publish/idempotency.test.ts'],
    mutants: [
      {
        mistake: 'the answer to a key is forgotten after thirty seconds',
        from: '(k.response is null and k.locked_until < ${now})',
        to: '(k.locked_until < ${now})',
      },
      {
        mistake: 'a claim whose process died is never given up',
        from: 'or (k.response is null and k.locked_until < ${now})',
        to: '',
      },
      {
        mistake: 'another body under the same key gets the first one’s answer',
        from: `if (!held.requestHash.equals(requestHash)) return { kind: 'other_body' };`,
        to: '',
      },
      {
        mistake: 'a failed publish keeps its key',
        from: `.where('response', 'is', null)\n    .execute();`,
        to: `.where('response', 'is not', null)\n    .execute();`,
      },
    ],
  },
  {
    file: 'store/articles/publish/save-article.ts',
    tests: ['test/api/publish/matching.test.ts', 'test/api/publish/publish.test.ts', 'test/api/publish/storage.test.ts'],
    mutants: [
      {
        mistake: 'a republish that changes nothing but `syndicationMode` changes nothing',
        from: '{ syndicate: rest.syndicate, imported: false }',
        to: '{ imported: false }',
      },
      {
        mistake: 'a publish that changes nothing makes a revision',
        from: 'const changed = !fingerprint.equals(existing.fingerprint);',
        to: 'const changed = true;',
      },
      {
        mistake: 'an id that was given once is forgotten',
        from: '...(externalId !== null && externalId !== existing.id ? { externalId } : {}),',
        to: 'externalId,',
      },
      {
        mistake: 'a public address moves without a redirect',
        from: 'if (existing.publishedAt !== null) await moveSlug(',
        to: 'if (existing.publishedAt === null) await moveSlug(',
        tests: ['test/api/publish/matching.test.ts', 'test/api/reading/find-article.test.ts'],
      },
      {
        mistake: 'the bytes of an author are not counted',
        from: '`stored_bytes + ${moreBytes}`',
        to: '`stored_bytes`',
        tests: ['test/api/publish/storage.test.ts'],
      },
    ],
  },
  {
    file: 'store/articles/publish/storage.ts',
    tests: ['test/api/publish/storage.test.ts'],
    mutants: [
      {
        mistake: 'an author above the limit cannot even shorten an article',
        from: 'if (newBytes <= oldBytes || total <= limitBytes) return;',
        to: 'if (total <= limitBytes) return;',
      },
    ],
  },
  {
    file: 'store/articles/publish/slugs.ts',
    tests: ['test/api/publish/matching.test.ts', 'test/api/publish/publish.test.ts'],
    mutants: [
      {
        mistake: 'an article takes the former address of another one',
        from: `.$if(articleId !== null, (query) =>`,
        to: `.$if(articleId === null, (query) => query.where('slug', '=', '')).$if(articleId !== null, (query) =>`,
      },
      { mistake: 'an article takes a path of the site', from: 'if (isReservedSlug(slug)) return false;', to: '' },
    ],
  },
  {
    file: 'store/secrets/sealing.ts',
    tests: ['test/store/secrets/sealing.test.ts'],
    mutants: [
      {
        mistake: 'a sealed credential opens in another row',
        from: `createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(context))`,
        to: `createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(''))`,
      },
      {
        mistake: 'what was sealed with a former key counts as present',
        from: 'sealed[0] === VERSION && sealed.subarray(1, 1 + ID_BYTES).equals(currentId)',
        to: 'sealed[0] === VERSION',
      },
    ],
  },
];
