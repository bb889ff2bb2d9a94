/** Mutants of the delivery rows: attempts, responses, records and commands. */
import type { MutatedFile } from '../mutant.ts';

export const LEDGER: readonly MutatedFile[] = [
  {
    file: 'store/deliveries/lock-state.ts',
    tests: ['test/store/deliveries/lock-order.test.ts', 'test/store/attempts/marked-attempt.test.ts'],
    mutants: [
      {
        mistake: 'a delivery can change between the check and the write',
        from: 'and article_id = (select id from article) for update',
        to: 'and article_id = (select id from article)',
      },
      {
        mistake: 'a delivery is locked before its article',
        from: 'and article_id = (select id from article) for update',
        to: 'for update',
      },
    ],
  },
  {
    file: 'store/deliveries/decide.ts',
    tests: ['test/store/attempts/late-records.test.ts', 'test/store/attempts/marked-attempt.test.ts'],
    mutants: [
      {
        mistake: 'a decision from before a command or an attempt is written after it',
        from: 'row.version === decided.version &&',
        to: '',
      },
      {
        mistake: 'a decision for one connection is written for another',
        from: 'row.connectionId === decided.connectionId &&',
        to: '',
      },
      {
        mistake: 'a decision for an old credential is written for a new one',
        from: '(row.connectionVersion ?? 0) === decided.connectionVersion',
        to: 'true',
      },
      {
        mistake: 'the current copy is used as the copy of an older attempt',
        from: 'and (cp.id = t.copy_id or (t.copy_id is null and cp.is_current))',
        to: 'and cp.is_current',
        tests: ['test/store/attempts/answers.test.ts', 'test/store/attempts/late-records.test.ts'],
      },
    ],
  },
  {
    file: 'store/attempts/record-ending.ts',
    tests: ['test/store/attempts/late-records.test.ts', 'test/store/attempts/answers.test.ts'],
    mutants: [
      {
        mistake: 'a deleted post is recorded as hidden',
        from: `deleted ? 'deleted' : 'done'`,
        to: `'done'`,
      },
      {
        mistake: 'an outcome that is recorded twice counts twice',
        from: `if (attempt?.outcome && input.ending.kind !== 'unauthorised') {`,
        to: `if (attempt?.outcome && input.ending.kind === 'absent') {`,
      },
      {
        mistake: 'a delivered old revision counts as the newest',
        from: 'holds && attempt.revision === row.revision &&',
        to: 'holds &&',
      },
      {
        mistake: 'the copy of a draft that was delivered meanwhile stays public',
        from: `status === 'PUBLISHED' && !withdrawRequested`,
        to: '!withdrawRequested',
      },
      {
        mistake: 'a found post replaces the known copy',
        from: `(!attempt && (!holds || row.presence === 'live'))`,
        to: '(!attempt && !holds)',
      },
      {
        mistake: 'the absence of a create is recorded for an update',
        from: `if (attempt?.action !== 'create') return false;`,
        to: 'if (!attempt) return false;',
      },
      {
        mistake: 'a create that may have happened is closed by a retry',
        from: 'if (attempt && stillInFlight) {',
        to: 'if (attempt && !stillInFlight) {',
      },
      {
        mistake: 'an unknown outcome is closed, so that the next publish creates a second post',
        from: `if (state === 'unknown') {`,
        to: `if (state === 'unknown' && attempt?.action !== 'create') {`,
      },
      {
        mistake: 'the author is notified of an unknown outcome after a success',
        from: `if (!attempt || attempt.answer?.kind === 'done') return false;`,
        to: 'if (!attempt) return false;',
      },
      {
        mistake: 'a rejected look-up closes the create that it checks',
        from: 'if (attempt?.outcome === null && !stillInFlight)',
        to: 'if (attempt?.outcome === null)',
      },
      {
        mistake: 'each delivery sends a notification about the same rejected credential',
        from: `if (refusal === 'marked') await notify`,
        to: `if (refusal !== 'other credential') await notify`,
      },
    ],
  },
  {
    file: 'store/attempts/mark-attempt.ts',
    tests: ['test/store/attempts/marked-attempt.test.ts'],
    mutants: [
      {
        mistake: 'a suspended author can publish',
        from: `row.isSuspended && action !== 'withdraw'`,
        to: 'false',
      },
      {
        mistake: 'a publish while an attempt is prepared is ignored',
        from: '!holds || accountId === null || row.dispatch !== dispatch ||',
        to: 'accountId === null ||',
      },
      {
        mistake: 'a publish after a deletion reuses the deleted copy',
        from: `copyId === null || (action === 'create' && row.presence === 'deleted')`,
        to: 'copyId === null',
      },
      {
        mistake: 'an attempt does not increase the version, so that a second worker can mark one too',
        from: `version: sql\`version + 1\`,`,
        to: '',
      },
      {
        mistake: 'a request is marked for a second repeat',
        from: `.where('repeatedAt', 'is', null)`,
        to: '',
        tests: ['test/store/attempts/repeated-attempt.test.ts', 'test/store/attempts/marked-attempt.test.ts'],
      },
      {
        mistake: 'a request is repeated when the platform no longer recognises it',
        from: `.where('startedAt', '>', sql<Date>`,
        to: `.where('startedAt', '<', sql<Date>`,
        tests: ['test/store/attempts/repeated-attempt.test.ts', 'test/store/attempts/marked-attempt.test.ts'],
      },
    ],
  },
  {
    file: 'store/attempts/record-answer.ts',
    tests: ['test/store/attempts/answers.test.ts'],
    mutants: [
      {
        mistake: 'a second response replaces the first',
        from: '!attempt || attempt.answer !== null ||',
        to: '!attempt ||',
      },
      {
        mistake: 'a late response overwrites the result of a later attempt',
        from: `if (!(await isNewestAttempt(tx, row, attempt)) &&`,
        to: `if (answer.kind === 'rejected' &&`,
      },
      {
        mistake: 'a response after the end of the attempt does not wake the delivery',
        from: 'if (isAtAccount) await enqueueDelivery(tx, row.articleId, row.destination);',
        to: '',
      },
      {
        mistake: 'a post created at a disconnected account sends no notification',
        from: `if (answer.kind === 'done' && answer.remote)\n    await notify`,
        to: `if (answer.kind !== 'done') await notify`,
        tests: ['test/store/attempts/answers.test.ts', 'test/workflows/accounts/accounts.test.ts'],
      },
      {
        mistake: 'an attempt with a response is reported as lost',
        from: `.where('endedAt', 'is', null)\n    .where('answer', 'is', null)`,
        to: `.where('endedAt', 'is', null)`,
        tests: ['test/store/attempts/unanswered-attempt.test.ts'],
      },
    ],
  },
  {
    file: 'store/db/migrations/0001-first-release.ts',
    tests: ['test/api/deliveries/stored-cells.test.ts'],
    mutants: [
      {
        mistake: 'an article for this site only is selected for every destination',
        from: 'select syndicate and not imported and coalesce(',
        to: 'select not imported and coalesce(',
      },
      {
        mistake: 'an uncertain copy is ignored',
        from: `coalesce(cp.presence = 'live' or (cp.presence = 'uncertain' and cp.remote_id is not null), false) as has_live_copy`,
        to: `coalesce(cp.presence = 'live', false) as has_live_copy`,
      },
      {
        mistake: 'an article published while another account was connected counts as an update',
        from: `and coalesce(last_outcome, 'void') in ('retried', 'absent', 'void') as is_offered`,
        to: 'and false as is_offered',
      },
      {
        mistake: 'a copy at another account counts as a copy at the connected account',
        from: 'and cp.account_id = account.id and cp.is_current',
        to: 'and cp.is_current',
      },
      {
        mistake: 'a skipped delivery needs attention',
        from: `state in ('failed', 'held', 'unknown') and not is_skipped and (state`,
        to: `state in ('failed', 'held', 'unknown') and (state`,
      },
    ],
  },
  {
    file: 'store/deliveries/situation.ts',
    tests: ['test/store/attempts/marked-attempt.test.ts', 'test/store/deliveries/commands.test.ts'],
    mutants: [
      {
        mistake: 'an older text is sent with the number of the newer revision',
        from: 'if (row.revision !== deliverable.revision) return loadDelivery(db, key, baseUrl);',
        to: '',
        tests: ['test/store/deliveries/read-together.test.ts'],
      },
      {
        mistake: 'the settle time of a repeated request counts from its first request',
        from: 'coalesce(t.repeated_at, t.started_at)',
        to: 't.started_at',
        tests: ['test/store/attempts/repeated-attempt.test.ts', 'test/store/attempts/marked-attempt.test.ts'],
      },
      {
        mistake: 'the overwrite command is ignored',
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
        mistake: 'an author can command the delivery of another author',
        from: 'if (row?.authorId !== target.authorId)',
        to: 'if (!row)',
        tests: ['test/store/deliveries/commands.test.ts', 'test/api/graphql/ownership.test.ts'],
      },
      {
        mistake: 'an attempt that may still be running can be resolved',
        from: 'if (row.openAnswer === null && attempt.forMs < MAX_CALL_MS) {',
        to: 'if (row.openAnswer === null && attempt.forMs < 0) {',
      },
      {
        mistake: 'the post of another article can be resolved as the copy of this one',
        from: '.has(finding.remoteId)',
        to: `.has('')`,
      },
      {
        mistake: 'a command does not wake its delivery',
        from: 'await enqueueDelivery(tx, target.articleId, target.destination);',
        to: '',
      },
      {
        mistake: 'an attempt planned before a command starts after it',
        from: '...changes, version: sql`version + 1`,',
        to: '...intent,',
      },
      {
        mistake: 'the background search does not find a delivery with a command',
        from: 'version: sql`version + 1`, dueAt: NOW })',
        to: 'version: sql`version + 1` })',
      },
    ],
  },
  {
    file: 'store/deliveries/stalled.ts',
    tests: ['test/store/deliveries/stalled.test.ts', 'test/store/deliveries/stalled-situations.test.ts'],
    mutants: [
      {
        mistake: 'each background search wakes a delivery again',
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
    file: 'store/copies/post-owner.ts',
    tests: ['test/store/copies/post-owner.test.ts'],
    mutants: [
      {
        mistake: 'the response of one server about an account counts for another server',
        from: 'and k.destination = a0.destination and k.origin = a0.origin',
        to: 'and k.destination = a0.destination',
      },
      {
        mistake: 'an unverified account owns posts',
        from: `and a0.identity not like 'unverified:%'`,
        to: '',
      },
    ],
  },
];
