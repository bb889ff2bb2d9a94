/** Mutants of the delivery rows: attempts, responses, records and commands. */
import type { MutatedFile } from '../mutant.ts';

export const LEDGER: readonly MutatedFile[] = [
  {
    file: 'store/deliveries/lock-state.ts',
    tests: ['test/store/deliveries/lock-order.test.ts', 'test/store/attempts/marked-attempt.test.ts'],
    mutants: [
      {
        mistake: 'a delivery changes between the check and the write',
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
        mistake: 'what was decided before a command or an attempt is written after it',
        from: 'row.version === decided.version &&',
        to: '',
      },
      {
        mistake: 'what was decided for one connection is written for another',
        from: 'row.connectionId === decided.connectionId &&',
        to: '',
      },
      {
        mistake: 'what was decided with an old credential is written beside a new one',
        from: '(row.connectionVersion ?? 0) === decided.connectionVersion',
        to: 'true',
      },
      {
        mistake: 'a copy that is current by now is taken for that of the attempt',
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
        mistake: 'a post that was deleted is taken for a hidden one',
        from: `deleted ? 'deleted' : 'done'`,
        to: `'done'`,
      },
      {
        mistake: 'an ending that is recorded twice counts twice',
        from: `if (attempt?.outcome && input.ending.kind !== 'unauthorised') {`,
        to: `if (attempt?.outcome && input.ending.kind === 'absent') {`,
      },
      {
        mistake: 'an old revision that arrives counts as the newest',
        from: 'holds && attempt.revision === row.revision &&',
        to: 'holds &&',
      },
      {
        mistake: 'a draft that was delivered meanwhile stays public',
        from: `status === 'PUBLISHED' && !withdrawRequested`,
        to: '!withdrawRequested',
      },
      {
        mistake: 'a found post takes the place of the one that is known',
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
        mistake: 'an unknown outcome is closed, so that the next publish makes a second post',
        from: `if (state === 'unknown') {`,
        to: `if (state === 'unknown' && attempt?.action !== 'create') {`,
      },
      {
        mistake: 'after a success its author is told that nobody knows',
        from: `if (!attempt || attempt.answer?.kind === 'done') return false;`,
        to: 'if (!attempt) return false;',
      },
      {
        mistake: 'a refused look-up closes the create that it was about',
        from: 'if (attempt?.outcome === null && !stillInFlight)',
        to: 'if (attempt?.outcome === null)',
      },
      {
        mistake: 'each delivery tells of the same refused credential',
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
        mistake: 'a suspended author publishes',
        from: `row.isSuspended && action !== 'withdraw'`,
        to: 'false',
      },
      {
        mistake: 'a publish while an attempt is prepared is overlooked',
        from: '!holds || accountId === null || row.dispatch !== dispatch ||',
        to: 'accountId === null ||',
      },
      {
        mistake: 'what is published after a deletion takes over the deleted copy',
        from: `copyId === null || (action === 'create' && row.presence === 'deleted')`,
        to: 'copyId === null',
      },
      {
        mistake: 'an attempt leaves the version as it is, so that a second worker marks one too',
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
        mistake: 'a request is repeated when the platform has forgotten it',
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
        mistake: 'a second answer takes the place of the first',
        from: '!attempt || attempt.answer !== null ||',
        to: '!attempt ||',
      },
      {
        mistake: 'a late answer changes what a later attempt made of the copy',
        from: `if (!(await isLast(tx, row, attempt)) &&`,
        to: `if (answer.kind === 'rejected' &&`,
      },
      {
        mistake: 'an answer that comes after the end wakes nothing',
        from: 'if (isAtAccount) await enqueueDelivery(tx, row.articleId, row.destination);',
        to: '',
      },
      {
        mistake: 'what was made at an account that is not connected any more is told to nobody',
        from: `if (answer.kind === 'done' && answer.remote) await notify`,
        to: `if (answer.kind !== 'done') await notify`,
        tests: ['test/store/attempts/answers.test.ts', 'test/workflows/accounts/accounts.test.ts'],
      },
      {
        mistake: 'a call that was lost is said of an attempt that was answered',
        from: `.where('endedAt', 'is', null)\n    .where('answer', 'is', null)`,
        to: `.where('endedAt', 'is', null)`,
        tests: ['test/store/attempts/unanswered-attempt.test.ts'],
      },
    ],
  },
  {
    file: 'store/db/migrations/0040-copies.ts',
    tests: ['test/api/deliveries/stored-cells.test.ts'],
    mutants: [
      {
        mistake: 'what is published here alone is selected for every destination',
        from: 'select syndicate and not imported and coalesce(',
        to: 'select not imported and coalesce(',
      },
      {
        mistake: 'a copy that may be there is not found',
        from: `coalesce(cp.presence = 'live' or (cp.presence = 'uncertain' and cp.remote_id is not null), false) as has_live_copy`,
        to: `coalesce(cp.presence = 'live', false) as has_live_copy`,
      },
      {
        mistake: 'what was published while another account was connected looks like an update',
        from: `and coalesce(last_outcome, 'void') in ('retried', 'absent', 'void') as is_offered`,
        to: 'and false as is_offered',
      },
      {
        mistake: 'a copy at another account is taken for one at the account that is connected',
        from: 'and cp.account_id = account.id and cp.is_current',
        to: 'and cp.is_current',
      },
      {
        mistake: 'a skipped delivery needs its author',
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
        mistake: 'an older text is sent as the newer revision',
        from: 'if (row.revision !== deliverable.revision) return loadDelivery(db, key, baseUrl);',
        to: '',
        tests: ['test/store/deliveries/read-together.test.ts'],
      },
      {
        mistake: 'a repeated request settles as if it had been sent once',
        from: 'coalesce(t.repeated_at, t.started_at)',
        to: 't.started_at',
        tests: ['test/store/attempts/repeated-attempt.test.ts', 'test/store/attempts/marked-attempt.test.ts'],
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
        from: 'if (row?.authorId !== target.authorId)',
        to: 'if (!row)',
        tests: ['test/store/deliveries/commands.test.ts', 'test/api/graphql/ownership.test.ts'],
      },
      {
        mistake: 'what may still be running is settled',
        from: 'if (row.openAnswer === null && attempt.forMs < AT_WORK_MS) {',
        to: 'if (row.openAnswer === null && attempt.forMs < 0) {',
      },
      {
        mistake: 'a post of another article is settled as this one’s',
        from: '.has(finding.remoteId)',
        to: `.has('')`,
      },
      {
        mistake: 'a command does not wake its delivery',
        from: 'await enqueueDelivery(tx, target.articleId, target.destination);',
        to: '',
      },
      {
        mistake: 'an attempt that was planned before a command begins after it',
        from: '...intent, version: sql`version + 1`,',
        to: '...intent,',
      },
      {
        mistake: 'what is commanded is found by no search',
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
    file: 'store/copies/post-owner.ts',
    tests: ['test/store/copies/post-owner.test.ts'],
    mutants: [
      {
        mistake: 'the word of a server about an account counts for another server',
        from: 'and k.destination = a0.destination and k.origin = a0.origin',
        to: 'and k.destination = a0.destination',
      },
      {
        mistake: 'an account that nobody has verified owns posts',
        from: `and a0.identity not like 'unverified:%'`,
        to: '',
      },
    ],
  },
];
