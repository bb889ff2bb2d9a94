/** When a scheduled article is published and reminded of, and what its credentials are found to be. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createArticleActivities } from '../../../activities/article/advance.ts';
import { checkCredential } from '../../../activities/article/check-credential.ts';
import { createReminderActivities } from '../../../activities/article/remind.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import type { Outcome, ProbedAccount } from '../../../destinations/types.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import { openConnection } from '../../../store/connections/credentials.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

const MINUTE_MS = 60_000;
const AT = new Date('2026-12-01T12:00:00Z');
const sealer = createSealer(randomBytes(32));

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

type Probe = Outcome<ProbedAccount>;
const DONE: Probe = { kind: 'done', value: { account: 'a', name: '@a' } };
const UNAUTHORISED: Probe = { kind: 'unauthorised', reason: 'The key is wrong.' };
const UNAVAILABLE: Probe = { kind: 'unavailable', reason: 'It is busy.' };
const LIMITED: Probe = { kind: 'rateLimited', retryAfterMs: null, reason: 'Too many.' };

/** Dependencies with a destination that gives these answers, one per probe. */
function createDeps(answers: (Probe | Error)[] = [], more: Partial<ActivityDeps> = {}) {
  const rest = [...answers];
  const client = {
    async probe() {
      const answer = rest.shift() ?? assert.fail('one more probe');
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const deps = {
    db: ledger.db,
    sealer,
    findDestination: () => ({ createClient: () => client }),
    now: () => AT,
    ...more,
  };
  return { deps: deps as unknown as ActivityDeps, countProbes: () => answers.length - rest.length };
}

async function connect(userId: string, key = 'a key') {
  const { id } = await connectDestination(ledger.db, sealer, {
    ...{ userId, destination: 'blogsite_a', platform: 'forem', baseUrl: 'https://forem.example/api' },
    ...{ credentials: { apiKey: key }, account: { identity: userId, name: null } },
  });
  return id;
}

const inMinutes = (minutes: number, ms = 0) => new Date(AT.getTime() + minutes * MINUTE_MS + ms);

for (const [due, remindedFor, remindInMs] of [
  [inMinutes(180), null, 120 * MINUTE_MS],
  [inMinutes(60, 1), null, 1],
  [inMinutes(60), null, 0],
  [inMinutes(10), null, 0],
  [inMinutes(10, -1), null, null],
  [inMinutes(180), inMinutes(180), null],
  [inMinutes(180), inMinutes(170), 120 * MINUTE_MS],
] as const) {
  const dueInMs = due.getTime() - AT.getTime();
  const reminder = remindInMs === null ? 'not at all' : `in ${remindInMs} ms`;
  test(`the author of an article due in ${dueInMs} ms is reminded ${reminder}${remindedFor ? ' after an earlier reminder' : ''}`, async () => {
    const articleId = await ledger.addArticle(await ledger.addAuthor(), {
      ...{ status: 'SCHEDULED', publishedAt: null, scheduledAt: due, remindedFor },
    });
    const next = await createArticleActivities(createDeps().deps).advanceArticle(articleId);
    assert.deepEqual(next, { kind: 'wait', scheduledAt: due.toISOString(), dueInMs, remindInMs, destinations: [] });
  });
}

test('an article is published at its time; a deleted one has ended, and a draft only wakes its deliveries', async () => {
  const authorId = await ledger.addAuthor();
  const { advanceArticle } = createArticleActivities(createDeps().deps);
  const due = await ledger.addArticle(authorId, { status: 'SCHEDULED', publishedAt: null, scheduledAt: AT });
  assert.equal((await advanceArticle(due)).kind, 'wake');
  assert.equal((await ledger.article(due)).status, 'PUBLISHED');
  const draft = await ledger.addArticle(authorId, { status: 'DRAFT', publishedAt: null });
  assert.deepEqual(await advanceArticle(draft), { kind: 'wake', destinations: [] });
  assert.equal((await ledger.article(draft)).status, 'DRAFT');
  assert.deepEqual(await advanceArticle('00000000-0000-4000-8000-000000000000'), { kind: 'deleted' });
});

test('woken deliveries learn whether their article is public', async () => {
  const started: unknown[] = [];
  const workflow = {
    async start(_type: string, { workflowId }: { workflowId: string }) {
      started.push(workflowId);
    },
  };
  const { deps } = createDeps([], { workflowTarget: { client: { workflow }, taskQueue: 'q' } } as never);
  const { wakeDeliveries } = createArticleActivities(deps);
  const articleId = await ledger.addArticle(await ledger.addAuthor());
  await wakeDeliveries({ articleId, destinations: ['blogsite_a', 'cms_site'] });
  assert.deepEqual(started, [`delivery/${articleId}/blogsite_a`, `delivery/${articleId}/cms_site`]);
  await wakeDeliveries({ articleId: '00000000-0000-4000-8000-000000000000', destinations: ['blogsite_a'] });
  assert.equal(started.length, 2);
});

const found = (code: string, reason: string) => ({ code, reason });
for (const [name, answers, finding] of [
  ['accepted', [DONE], null],
  ['accepted although the account was edited', [{ kind: 'drifted', reason: 'Edited.' }], null],
  [
    'rejected for another reason',
    [{ kind: 'rejected', code: 'publication_not_found', reason: 'No blog.' }],
    found('publication_not_found', 'No blog.'),
  ],
  ['refused twice', [UNAUTHORISED, UNAUTHORISED], found('unauthorised', 'The key is wrong.')],
  ['refused once', [UNAUTHORISED, DONE], null],
  ['unavailable three times', [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE], found('unavailable', 'It is busy.')],
  ['limited three times', [LIMITED, LIMITED, LIMITED], found('rate_limited', 'Too many.')],
  ['refused at the last probe', [UNAVAILABLE, UNAVAILABLE, UNAUTHORISED, DONE], null],
  [
    'refused between failures',
    [UNAVAILABLE, UNAUTHORISED, UNAVAILABLE, UNAVAILABLE],
    found('unavailable', 'It is busy.'),
  ],
  [
    'refused at the last two probes',
    [UNAVAILABLE, UNAVAILABLE, UNAUTHORISED, UNAUTHORISED],
    found('unauthorised', 'The key is wrong.'),
  ],
] as [string, Probe[], object | null][]) {
  test(`a credential that is ${name} takes ${answers.length} probes, whose finding is shared`, async () => {
    const connection = await openConnection(ledger.db, sealer, await connect(await ledger.addAuthor()));
    assert.ok(connection);
    const { deps, countProbes } = createDeps(answers);
    const check = () => new MockActivityEnvironment().run(() => checkCredential(deps, connection, 0));
    assert.deepEqual([await check(), countProbes()], [finding, answers.length]);
    assert.deepEqual([await check(), countProbes()], [finding, answers.length]);
  });
}

test('a check that fails can be repeated; one of a former credential has no finding', async () => {
  const userId = await ledger.addAuthor();
  const connection = await openConnection(ledger.db, sealer, await connect(userId));
  assert.ok(connection);
  const { deps } = createDeps([new Error('a bug'), DONE]);
  const check = () => new MockActivityEnvironment().run(() => checkCredential(deps, connection, 0));
  await assert.rejects(check(), { message: 'a bug' });
  assert.equal(await check(), null);
  await connect(userId, 'another key');
  assert.equal(await check(), 'gone');
});

test('a platform without an adapter rejects every credential', async () => {
  const connection = await openConnection(ledger.db, sealer, await connect(await ledger.addAuthor()));
  assert.ok(connection);
  const { deps } = createDeps([], { findDestination: () => null });
  const finding = await new MockActivityEnvironment().run(() => checkCredential(deps, connection, 0));
  assert.deepEqual(finding, found('platform_unsupported', 'This version has no adapter for its platform.'));
});

/** Reminds the author of an article that is scheduled for `blogsite_a`. Returns its notices. */
async function remind(userId: string, deps: ActivityDeps) {
  const scheduledAt = inMinutes(59);
  const crossPost = JSON.stringify({ blogsite_a: true });
  const scheduledDestinations = ['blogsite_a'] as const;
  const values = { status: 'SCHEDULED', publishedAt: null, scheduledAt, crossPost, scheduledDestinations } as const;
  const articleId = await ledger.addArticle(userId, { ...values, scheduledDestinations: [...scheduledDestinations] });
  const { remindAuthor } = createReminderActivities(deps, 0);
  const input = { articleId, scheduledAt: scheduledAt.toISOString() };
  const count = await new MockActivityEnvironment().run(remindAuthor, input);
  const notices = await ledger.db
    .selectFrom('articleNotices')
    .select(['code', 'message'])
    .where('articleId', '=', articleId)
    .execute();
  const start = `Scheduled for ${input.scheduledAt}, but blogsite_a would not accept it at present: `;
  const shown = notices.map(({ code, message }) => [code, message.replace(start, '')]);
  return { count, notices: shown, again: await new MockActivityEnvironment().run(remindAuthor, input) };
}

test('a reminder names the reason for which a destination would not accept the article', async () => {
  const unconnected = await remind(await ledger.addAuthor(), createDeps().deps);
  assert.deepEqual(unconnected, { count: 1, notices: [['not_connected', 'It is no longer connected.']], again: 0 });
  const refused = await ledger.addAuthor();
  const id = await connect(refused);
  const marked = ledger.db.updateTable('connections').where('id', '=', id);
  await marked.set({ status: 'unauthorised', statusReason: 'It was revoked.' }).execute();
  assert.deepEqual((await remind(refused, createDeps().deps)).notices, [['unauthorised', 'It was revoked.']]);
  await marked.set({ statusReason: null }).execute();
  assert.deepEqual((await remind(refused, createDeps().deps)).notices, [['unauthorised', '']]);
  const unreadable = await ledger.addAuthor();
  await connect(unreadable);
  const { deps } = createDeps([], { sealer: createSealer(randomBytes(32)) });
  const reason =
    'The stored credential can no longer be read. Reconnect the destination and enter the credential again.';
  assert.deepEqual((await remind(unreadable, deps)).notices, [['credential_unreadable', reason]]);
});

test('a rate-limited account gets no warning, an unavailable one does', async () => {
  for (const [answer, notices] of [
    [LIMITED, []],
    [DONE, []],
    [UNAVAILABLE, [['unavailable', 'It is busy.']]],
  ] as const) {
    const userId = await ledger.addAuthor();
    await connect(userId);
    const { deps } = createDeps(answer === DONE ? [DONE] : [answer, answer, answer]);
    assert.deepEqual(await remind(userId, deps), { count: notices.length, notices, again: 0 });
  }
});
