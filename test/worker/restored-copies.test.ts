/** What a restore finds at a platform with look-ups: each difference from the backup is reported. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { forem } from '../../destinations/forem/index.ts';
import type { Outcome, RemotePost } from '../../destinations/types.ts';
import { connectDestination } from '../../store/connections/connect.ts';
import { createSealer } from '../../store/secrets/sealing.ts';
import { createUser } from '../../store/users/create-user.ts';
import { describeFinding, reconcileAfterRestore } from '../../worker/restore.ts';
import { type AddedDelivery, openTestLedger, type TestLedger } from '../support/database/ledger.ts';
import { openTestDatabase } from '../support/environment.ts';

const NOW = new Date('2026-12-01T12:00:00Z');
const sealer = createSealer(randomBytes(32));

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

type Found = Outcome<RemotePost | null>;
const post = (more: Partial<RemotePost> = {}): Found => ({
  ...{ kind: 'done', value: { remoteId: 'r1', url: 'https://there.example/new', changedAt: null, ...more } },
});
const ABSENT: Found = { kind: 'done', value: null };
const limited = (retryAfterMs: number | null): Found => ({ kind: 'rateLimited', retryAfterMs, reason: 'Too many.' });

interface Backup {
  copy?: AddedDelivery['copy'];
  article?: object;
  /** One answer per look-up. */
  answers?: Found[];
  deps?: object;
}

/** Restores a backup with one article of one author at one destination. */
async function restore({ copy, article = {}, answers = [], deps = {} }: Backup) {
  const { db } = ledger;
  await sql`truncate restores`.execute(db);
  await sql`delete from users`.execute(db);
  const userId = await ledger.addAuthor();
  await connectDestination(db, sealer, {
    ...{ userId, destination: 'blogsite_a', platform: 'forem', baseUrl: 'https://forem.example/api' },
    ...{ credentials: { apiKey: 'a key' }, account: { identity: userId, name: null } },
  });
  const crossPost = JSON.stringify({ blogsite_a: true });
  const articleId = await ledger.addArticle(userId, { dispatch: 1, crossPost, title: 'A title', ...article });
  const deliveryId = await ledger.addDelivery(
    articleId,
    copy ? { copy: { remoteUrl: 'https://there.example/old', ...copy } } : {},
  );
  const rest = [...answers];
  const client = { find: async () => rest.shift() ?? assert.fail('one more look-up') };
  const { reports, ...counts } = await reconcileAfterRestore({
    ...{ db, sealer, baseUrl: 'https://here.example', allowPrivate: true, httpTimeoutMs: 1_000, now: () => NOW },
    findDestination: () => ({ ...forem, createClient: () => client }) as never,
    ...deps,
  });
  assert.deepEqual(rest, [], 'every answer was used');
  assert.deepEqual(
    reports.map(({ delivery }) => delivery),
    reports.map(() => ({ articleId, destination: 'blogsite_a', title: 'A title' })),
  );
  return { findings: reports.map(({ finding }) => finding), counts, row: await ledger.delivery(deliveryId) };
}

const OLD = 'https://there.example/old';
const NEW = 'https://there.example/new';
const LIVE = { remoteId: 'r1' };

for (const [name, backup, finding] of [
  ['a copy as recorded', { copy: LIVE, answers: [post()] }, { kind: 'same', url: OLD }],
  ['a copy that no longer exists', { copy: LIVE, answers: [ABSENT, ABSENT] }, { kind: 'gone', url: OLD }],
  [
    'a copy that another post has replaced',
    { copy: LIVE, answers: [post({ remoteId: 'r2' })] },
    { kind: 'another post', url: NEW },
  ],
  [
    'a copy without an address',
    { copy: { ...LIVE, remoteUrl: null }, answers: [ABSENT, ABSENT] },
    { kind: 'gone', url: '' },
  ],
  ['no copy, and none there', { answers: [ABSENT, ABSENT] }, { kind: 'same' }],
  ['no copy, and one created since', { answers: [post()] }, { kind: 'adopted', url: NEW }],
  [
    'no copy of a draft, and one created since',
    { answers: [post()], article: { status: 'DRAFT', publishedAt: null } },
    { kind: 'not public', url: NEW },
  ],
  [
    'no copy of an article scheduled for this moment, and one created since',
    { answers: [post()], article: { status: 'SCHEDULED', publishedAt: null, scheduledAt: NOW } },
    { kind: 'adopted', url: NEW },
  ],
  [
    'no copy of an article scheduled for later, and one there',
    {
      answers: [post()],
      article: { status: 'SCHEDULED', publishedAt: null, scheduledAt: new Date(NOW.getTime() + 1) },
    },
    { kind: 'not public', url: NEW },
  ],
  [
    'a platform that is busy three times',
    { copy: LIVE, answers: [limited(0), limited(0), limited(0), post()] },
    { kind: 'same', url: OLD },
  ],
  [
    'a platform that is busy four times',
    { copy: LIVE, answers: [limited(0), limited(0), limited(0), limited(0)] },
    { kind: 'not checked', why: 'Too many.' },
  ],
  [
    'a platform that requires a longer pause',
    { copy: LIVE, answers: [limited(300_001)] },
    { kind: 'not checked', why: 'Too many.' },
  ],
  [
    'a platform that rejects the credential',
    { copy: LIVE, answers: [{ kind: 'unauthorised', reason: 'The key is wrong.' }] },
    { kind: 'not checked', why: 'The key is wrong.' },
  ],
  [
    'a credential of another key',
    { copy: LIVE, deps: { sealer: createSealer(randomBytes(32)) } },
    { kind: 'not checked', why: 'the credential cannot be read' },
  ],
  [
    'a platform that this version does not know',
    { copy: LIVE, deps: { findDestination: () => null } },
    { kind: 'not checked', why: 'this version has no adapter for its platform' },
  ],
] satisfies [string, Backup, object][]) {
  test(`a restore compares ${name}: ${finding.kind}`, async () => {
    assert.deepEqual((await restore(backup as Backup)).findings, [finding]);
  });
}

test('a copy that was edited, or published again after its withdrawal, is reported as changed', async () => {
  const seen = '2026-11-01T00:00:00.000Z';
  const copy = { ...LIVE, remoteChangedAt: seen };
  const changed = { kind: 'changed', url: OLD };
  assert.deepEqual((await restore({ copy, answers: [post({ changedAt: '2026-11-01T00:00:01Z' })] })).findings, [
    changed,
  ]);
  assert.deepEqual((await restore({ copy, answers: [post({ changedAt: seen })] })).findings, [
    { kind: 'same', url: OLD },
  ]);
  const withdrawn = { ...LIVE, presence: 'hidden', withdrawnAt: new Date(seen) } as const;
  const later = '2026-11-02T00:00:00Z';
  assert.deepEqual((await restore({ copy: withdrawn, answers: [post({ changedAt: later })] })).findings, [changed]);
});

test('an adopted post is the copy of its article again', async () => {
  const { row } = await restore({ answers: [post()] });
  assert.deepEqual([row.remoteId, row.remoteUrl], ['r1', NEW]);
});

test('a create at a platform without look-ups is left to its author, with the reason', async () => {
  const blind = { ...forem, limits: { ...forem.limits, canFind: false } };
  const { findings, row } = await restore({ deps: { findDestination: () => blind } });
  assert.deepEqual(findings, [{ kind: 'marked for author' }]);
  const [attempt] = await ledger.attempts(row.deliveryId);
  assert.equal(
    attempt?.reason,
    'The service was restored from a backup, and Courant cannot check whether DEV has created the post since then. Check there and report the result (settleDelivery). Nothing is sent until then.',
  );
  const live = await restore({
    copy: { ...LIVE, contentHash: '', revision: 1 },
    deps: { findDestination: () => blind },
  });
  assert.deepEqual(live.findings, []);
});

test('each finding completes the line of its delivery', () => {
  const url = NEW;
  assert.deepEqual(
    [
      ...[{ kind: 'same' }, { kind: 'adopted', url }, { kind: 'not public', url }, { kind: 'marked for author' }],
      ...[
        { kind: 'gone', url },
        { kind: 'changed', url },
        { kind: 'another post', url },
      ],
      { kind: 'not checked', why: 'it is busy' },
    ].map((finding) => describeFinding(finding as Parameters<typeof describeFinding>[0])),
    [
      'as recorded',
      `was created after the backup: ${url} is its copy again`,
      `is live at ${url}, but the article is not public in the backup; the copy was not changed, and the author has a notice`,
      'may have been created after the backup, and Courant cannot check the platform: nothing is sent until the author has resolved it',
      `the copy at ${url} no longer exists`,
      `the copy at ${url} was changed after the backup; it stays unchanged until the author overwrites it`,
      `another post has replaced it: ${url}`,
      'was not checked (it is busy); it is looked up before anything is created there',
    ],
  );
});

test('the command ends sessions, and prints what it found', async (t) => {
  const { db, url, close } = await openTestDatabase();
  const home = await mkdtemp(join(tmpdir(), 'courant-restore-'));
  t.after(async () => {
    await close();
    await rm(home, { recursive: true });
  });
  const person = { username: 'ada', name: 'Ada', email: 'ada@example.org', passwordHash: 'x', now: NOW };
  const { id: userId } = await createUser(db, person);
  await connectDestination(db, sealer, {
    ...{ userId, destination: 'blogsite_c', platform: 'medium', baseUrl: 'https://medium.example/v1' },
    ...{ credentials: { token: 'secret' }, account: { identity: 'me', name: 'me' } },
  });
  const document = { source: '', body: 'Words.', derived: '{}', fingerprint: Buffer.alloc(32), contentHash: '' };
  const identity = { authorId: userId, slug: 'a', title: 'A title', titleKey: 'a', canonicalKey: 'self:a' };
  await db
    .insertInto('articles')
    .values({ ...document, ...identity, status: 'PUBLISHED', publishedAt: NOW, crossPost: '{"blogsite_c": true}' })
    .execute();
  const env = { ...process.env, DATABASE_URL: url, COURANT_HOME: home };
  const { stdout } = await promisify(execFile)(process.execPath, ['worker/restore-main.ts'], { env });
  const [line, ...rest] = stdout.trim().split('\n');
  const finding = 'was not checked (the credential cannot be read); it is looked up before anything is created there';
  assert.match(line ?? '', /^blogsite_c {2}[0-9a-f-]{36} {2}“A title”: /);
  assert.ok(line?.endsWith(`”: ${finding}`), line);
  assert.deepEqual(rest, ['Compared 1 deliveries with their destinations; 1 differed. You can start the workers.']);
});
