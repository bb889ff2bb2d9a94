/** Tests every key and word of other tools that suggests that an article is not public. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, withFrontmatter } from '../support/documents.ts';

/** The keys, in one spelling, that give a warning with this value. */
function listDoubted(keys: string, value: string): string[] {
  const known = keys.trim().split(/\s+/);
  return known.filter((key) => {
    const { warnings } = read(withFrontmatter(`title: T\n${key}: ${value}`));
    return warnings.some(({ code, path }) => code === 'state_doubtful' && path === key);
  });
}

function assertAllDoubted(keys: string, value: string): void {
  assert.deepEqual(listDoubted(keys, value), keys.trim().split(/\s+/), value);
}

test('every key for "not public" is in doubt if it is true', () => {
  const keys = `drafts is-draft draft_mode saveAsDraft asDraft inDraft private isPrivate hidden isHidden hide unlisted
    isUnlisted secret internal wip isWip internalOnly membersOnly confidential embargo embargoed workInProgress disabled
    deleted unpublished isUnpublished unpublish noPublish notPublished dontPublish doNotPublish skipPublish ignore
    ignorePost skip exclude excludeFromCollections eleventyExcludeFromCollections`;
  assertAllDoubted(keys, 'true');
  for (const word of ['yes', 'on', 'y', '"1"', 'x', '✓', '✔', '✅']) assertAllDoubted('hidden', word);
  assert.deepEqual(listDoubted(keys, 'false'), []);
});

test('every key for "public" is in doubt if it is false or a state', () => {
  const keys = `publish public publishable live visible online released release ready readyToPublish listed enabled
    enable active isPublish isPublished isPublic isLive isVisible isOnline isReleased isReady isListed isEnabled isActive
    dg-publish toPublish toBePublished doPublish shouldPublish canPublish autoPublish`;
  assertAllDoubted(keys, 'false');
  for (const word of ['no', 'off', 'n', '"0"', 'none', 'never', 'later', 'not yet', 'notyet', 'tbd', '"null"'])
    assertAllDoubted('public visible', word);
  assertAllDoubted('public visible', 'private');
  assert.deepEqual(listDoubted(keys, 'true'), []);
});

test('every key of a state is in doubt with every word for "not public"', () => {
  const keys = `state stage visibility access accessLevel privacy type postStatus post_status publishStatus
    publishingStatus publishedStatus publicationStatus articleStatus pageStatus contentStatus documentStatus docStatus
    reviewStatus entryStatus postState publishState publishingState publicationState articleState pageState contentState
    documentState docState reviewState`;
  assertAllDoubted(keys, 'draft');
  const words = `draft,drafts,private,hidden,unlisted,unpublished,pending,wip,in progress,todo,idea,internal,review,
    in review,members,secret,scheduled,future,embargoed,trash,later,not published,work in progress,soon,password,
    only me,In-Review,IN_PROGRESS`;
  for (const word of words.split(/,\s*/)) assertAllDoubted('visibility', `"${word}"`);
  assert.deepEqual(listDoubted(keys, 'public'), []);
});

test('every key of a time is in doubt with a time in the future', () => {
  const times = `date day datetime timestamp time when startDate draftUntil liveFrom liveAt postOn postAt postDate
    postTime publishDate publishAt publishOn publishTime publishedDate publishedAt publishedOn publicationDate pubDate
    pubTime releaseDate releaseAt releaseOn releasedAt goLiveAt goLiveDate goLive availableAt availableFrom availableOn
    visibleFrom`;
  const schedules = `schedule scheduled scheduledFor scheduleDate scheduledDate scheduleAt embargo embargoUntil
    embargoDate`;
  assertAllDoubted(`${times} ${schedules}`, '2027-01-01');
  assert.deepEqual(listDoubted(`${times} ${schedules}`, '2026-01-01'), []);
  assertAllDoubted(
    'schedule scheduled scheduledFor scheduleDate scheduledDate scheduleAt embargo embargoUntil',
    'soon',
  );
  assert.deepEqual(listDoubted('schedule embargoUntil', 'no'), []);
});

test('every key of an end is in doubt with a time in the past', () => {
  const keys = `expires expiresAt expiresOn expiry expiryDate expiration expirationDate expDate unpublishDate
    unpublishAt unpublishOn validUntil visibleUntil`;
  assertAllDoubted(keys, '2026-01-01');
  assert.deepEqual(listDoubted(keys, '2027-01-01'), []);
  assert.deepEqual(listDoubted('expires', '2026-11-20T22:00'), ['expires']);
  assert.deepEqual(listDoubted('expires', '2026-11-20T22:01'), []);
});

test('a key in a table of page settings is in doubt by its own name', () => {
  for (const table of ['params', 'extra', 'meta', 'metadata', 'frontmatter', 'page', 'post', 'article', 'build']) {
    const { warnings } = read(withFrontmatter(`title: T\n${table}: {hidden: true, a: b}`));
    assert.deepEqual(
      warnings.map(({ path, line }) => [path, line]),
      [[`${table}.hidden`, 3]],
    );
  }
  assert.deepEqual(read(withFrontmatter('title: T\nother: {hidden: true}')).warnings, []);
});

test('a time is read in every form that the engine reads', () => {
  for (const time of [
    ...['2027/1/2', '2027.01.02 10:00', '24 December 2026', '12/24/2026', 'Dec 24, 2026', '"1800000000"'],
    ...['"1800000000000"', '\'"2027-01-01"\'', 'Thu, 24 Dec 2026 10:00:00 GMT', '2026-11-22T02:01'],
  ])
    assert.deepEqual(listDoubted('date', time), ['date'], time);
  for (const time of [
    ...['2026-11-22T02:00', '24 December', '"1700000000"', '"18000000000"', '"- 2027"', `${'x'.repeat(60)} 2027`],
    ...['"\'2027-01-01"', '"20270101"'],
  ])
    assert.deepEqual(listDoubted('date', time), [], time);
});

test('the warning names the key, its value and what to write', () => {
  const explain = (frontmatter: string) =>
    read(withFrontmatter(`title: T\n${frontmatter}`)).warnings.map(({ message }) => message);
  const advice =
    'but this key does not prevent publishing. Write draft: true, or status: PUBLISHED if the article may be public.';
  const reason = `sounds like "not public", ${advice}`;
  for (const [frontmatter, message] of [
    ['hidden: true', `hidden: true ${reason}`],
    ['extra: {draft: 1}', `extra.draft: 1 ${reason}`],
    ['visibility: in-review', `visibility: "in-review" ${reason}`],
    ['permalink: false', `permalink: false ${reason}`],
    ['render: never', `render: "never" ${reason}`],
    ['password: x', `password: "x" ${reason}`],
    ['post_password: x', `post_password: "x" ${reason}`],
    ['expires: 2026-01-01', `expires: "2026-01-01" means that the article has expired, ${advice}`],
    [
      'date: 2027-01-01',
      'date: "2027-01-01" is in the future, but only scheduled_at schedules an article. Write scheduled_at, draft: true, or status: PUBLISHED if the article may be public now.',
    ],
    ['scheduled_at: 2027-01-01T00:00:00Z\nhidden: true', `hidden: true ${reason.replace('PUBLISHED', 'SCHEDULED')}`],
  ] as const)
    assert.deepEqual(explain(frontmatter), [message], frontmatter);
  assert.deepEqual([explain('password: no'), explain('permalink: never'), explain('render: true')].flat().length, 1);
  const inFolder = read(withFrontmatter('title: T'), { fileName: 'x\\Drafts\\a.md' }).warnings;
  assert.deepEqual(inFolder, [
    {
      ...{ code: 'state_doubtful', path: 'fileName' },
      message:
        'The file is in Drafts/, but a folder does not prevent publishing. Write draft: true, or status: PUBLISHED if the article may be public.',
    },
  ]);
});

test('a typing error is recognised, and other words with one letter more or less are not', () => {
  assertAllDoubted('darft drat drafft draf privat prviate pivate', 'true');
  assertAllDoubted('publised pubished publishhed pulish publis isibility', 'no'.replace('no', 'private'));
  assertAllDoubted('statsu staus visibilty', 'draft');
  assertAllDoubted('sheduled_at scheduld_at', '2027-01-01');
  for (const word of ['craft', 'drift', 'graft', 'raft']) assert.deepEqual(listDoubted(word, 'true'), []);
  assert.deepEqual([listDoubted('polished', 'false'), listDoubted('statue', 'draft')], [[], []]);
});
