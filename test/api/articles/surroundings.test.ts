/** Tests what a page shows around the text: related articles, series, comments and copies. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { findWeekBefore } from '../../../store/calendar/week.ts';
import { acceptAnswer } from '../../../store/comments/accept-answer.ts';
import { hideComment } from '../../../store/comments/moderate.ts';
import { deleteComment } from '../../../store/comments/own-comment.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { follow, unfollow } from '../../../store/follows/follow.ts';
import { react } from '../../../store/reactions/react.ts';
import { createRoundup } from '../../../store/roundups/create-roundup.ts';
import { createSeries } from '../../../store/series/series.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { comment } from '../../support/api/comments.ts';
import { eventually } from '../../support/eventually.ts';
import { addConnection, addDelivery } from '../deliveries/support/rows.ts';
import { publish, read } from './support/site.ts';

let api: TestApi;
let other: TestApi;
before(async () => {
  api = await startTestApi();
  other = await startTestApi({ databaseUrl: api.databaseUrl, home: api.home });
});
after(async () => {
  await other.close();
  await api.close();
});

const now = () => new Date();

test('a change of what the page shows around the text is visible on every instance', async () => {
  const [writer, reader] = [await api.createAuthor('writer'), await api.createAuthor('reader')];
  const { id: series } = await createSeries(api.db, { authorId: writer.id, title: 'The series', now: now() });
  const by = writer;
  const shown = await publish(api, { title: 'Shown', tags: ['around'], series_id: series }, { by });
  const next = await publish(api, { title: 'The part behind', series_id: series }, { by });
  const near = await publish(api, { title: 'Near to it', tags: ['around'] });
  const commentId = await comment(api.db, { slug: shown.slug, userId: reader.id, body: 'What was said' });
  // A cached page keeps the cache tags with which it was made.
  await sql`update articles set title = 'Shown again' where id = ${shown.id}`.execute(api.db);
  await addConnection(api.db, writer.id, 'blogsite_a');
  const copy = (remoteUrl: string, withdrawnAt: Date | null = null) =>
    addDelivery(api.db, shown.id, 'blogsite_a', {
      copy: { remoteUrl, presence: withdrawnAt ? 'hidden' : 'live', withdrawnAt },
    });
  /** Drops all cached responses too, because disconnecting does not change the copy. */
  const disconnect = async () => {
    await disconnectDestination(api.db, writer.id, 'blogsite_a');
    await sql`select announce_change(array['everything'])`.execute(api.db);
  };
  const page = `/${shown.slug}`;
  const week = findWeekBefore(new Date(Date.now() + 7 * 86_400_000));
  const day = now().toISOString().slice(0, 10);
  await api.db.insertInto('articleDays').values({ articleId: shown.id, day, views: 40 }).execute();
  const set = (id: string, change: Record<string, unknown>) =>
    api.db.updateTable('users').set(change).where('id', '=', id).execute();
  const target = { followerId: reader.id, username: 'writer' };
  const steps: [what: string, path: string, expected: RegExp, change: () => Promise<unknown>][] = [
    ['author renamed', page, /Ada Lovelace/, () => set(writer.id, { name: 'Ada Lovelace' })],
    ['author renamed', '/', /Ada Lovelace/, () => set(writer.id, { name: 'Ada Lovelace' })],
    ['bio', page, /A bio of hers/, () => set(writer.id, { bio: 'A bio of hers' })],
    ['picture', page, /face\.example/, () => set(writer.id, { pictureUrl: 'https://face.example/1' })],
    ['picture at home', '/', /face\.example\/2/, () => set(writer.id, { pictureUrl: 'https://face.example/2' })],
    [
      'series renamed',
      page,
      /Renamed series/,
      () => sql`update series set title = 'Renamed series' where id = ${series}`.execute(api.db),
    ],
    [
      'series renamed',
      `/series/${series}`,
      /Renamed again/,
      () => sql`update series set title = 'Renamed again' where id = ${series}`.execute(api.db),
    ],
    [
      'series reordered',
      page,
      /Part 2 of 2/,
      () => sql`update articles set part_position = -1 where id = ${next.id}`.execute(api.db),
    ],
    [
      'part renamed',
      page,
      /Behind it now/,
      () => sql`update articles set title = 'Behind it now' where id = ${next.id}`.execute(api.db),
    ],
    [
      'part withdrawn',
      page,
      /Part 1 of 1/,
      () => sql`update articles set status = 'DRAFT' where id = ${next.id}`.execute(api.db),
    ],
    [
      'related renamed',
      page,
      /Nearer to it/,
      () => sql`update articles set title = 'Nearer to it' where id = ${near.id}`.execute(api.db),
    ],
    [
      'related withdrawn',
      page,
      /^(?![\s\S]*Nearer to it)/,
      () => sql`update articles set status = 'DRAFT' where id = ${near.id}`.execute(api.db),
    ],
    ['commenter renamed', page, /Grace Hopper/, () => set(reader.id, { name: 'Grace Hopper' })],
    [
      'answer accepted',
      page,
      /1 comment, answered/,
      () => acceptAnswer(api.db, { authorId: writer.id, commentId, now: now() }),
    ],
    [
      'comment edited',
      page,
      /What is said now/,
      () => sql`update comments set html = '<p>What is said now</p>' where id = ${commentId}`.execute(api.db),
    ],
    ['commenter suspended', page, /^(?![\s\S]*What is said now)/, () => set(reader.id, { suspendedAt: now() })],
    ['commenter back', page, /What is said now/, () => set(reader.id, { suspendedAt: null })],
    [
      'comment hidden',
      page,
      /^(?![\s\S]*What is said now)/,
      () => hideComment(api.db, { authorId: writer.id, commentId, now: now() }),
    ],
    [
      'comment deleted',
      page,
      /id="comments-title" class="rule">Comments</,
      () => deleteComment(api.db, { userId: reader.id, commentId, now: now() }),
    ],
    [
      'reaction',
      page,
      /Like <span class="count">1</,
      () => react(api.db, { userId: reader.id, slug: shown.slug, kind: 'like', now: now() }),
    ],
    ['reaction at a suspension', page, /Like <span class="count">0</, () => set(reader.id, { suspendedAt: now() })],
    ['reaction back', page, /Like <span class="count">1</, () => set(reader.id, { suspendedAt: null })],
    ['followed', '/authors/writer', /1 follower</, () => follow(api.db, { ...target, now: now() })],
    ['unfollowed', '/authors/writer', /0 followers</, () => unfollow(api.db, target)],
    ['copy with an odd scheme', page, /^(?![\s\S]*Also at)/, () => copy('javascript:alert(1)')],
    ['copy made', page, /Also at <a href="https:\/\/dev\.to\/x"[^>]*>DEV</, () => copy('https://dev.to/x')],
    ['disconnected', page, /dev\.to\/x/, () => disconnect()],
    ['copy withdrawn', page, /^(?![\s\S]*Also at)/, () => copy('https://dev.to/x', now())],
    ['tags', page, /#other/, () => sql`update articles set tags = '{other}' where id = ${shown.id}`.execute(api.db)],
    [
      'tags at home',
      '/',
      /\/tags\/another"/,
      () => sql`update articles set tags = '{another}' where id = ${shown.id}`.execute(api.db),
    ],
    ['roundup made', '/', /Featured this week/, () => createRoundup(api.db, week, now())],
    ['roundup listed', '/roundup', new RegExp(week.week), async () => undefined],
    ['author suspended', page, /Withdrawn/, () => set(writer.id, { suspendedAt: now() })],
    ...['/', '/archive', `/roundup/${week.week}`, '/search?q=shown', '/tags/another'].map(
      (path) =>
        [
          'author suspended',
          path,
          /^(?![\s\S]*Shown again)/,
          () => set(writer.id, { suspendedAt: now() }),
        ] as (typeof steps)[number],
    ),
    ...[
      '/authors/writer',
      `/series/${series}`,
      `/articles/${shown.slug}/comments`,
      `/articles/${shown.slug}/viewer`,
    ].map((path) => ['author suspended', path, /<h1>Not found/, async () => undefined] as (typeof steps)[number]),
  ];
  const failed: string[] = [];
  for (const [what, path, expected, change] of steps) {
    await Promise.all([read(api, path), read(other, path)]);
    await change();
    for (const [name, from] of [
      ['here', api],
      ['there', other],
    ] as const) {
      await eventually(what, async () => expected.test((await read(from, path)).text), { withinMs: 10_000 }).catch(() =>
        failed.push(`${what}: ${path} ${name}`),
      );
    }
  }
  assert.deepEqual(failed, []);
});

test('articles of suspended authors do not displace others among the related articles', async () => {
  const { slug } = await publish(api, { title: 'Crowded out', tags: ['crowd'] });
  await publish(api, { title: 'A true neighbour', tags: ['crowd'] });
  const spammer = await api.createAuthor('spammer');
  for (let number = 0; number < 13; number += 1) {
    await api.publish({ content: markdown({ title: `Spam ${number}`, tags: ['crowd'] }) }, { token: spammer.token });
  }
  await api.db.updateTable('users').set({ suspendedAt: now() }).where('id', '=', spammer.id).execute();
  await eventually('the neighbour', async () => /A true neighbour/.test((await read(api, `/${slug}`)).text), {
    withinMs: 10_000,
  });
});

test('the site header marks the roundup link as current on roundup pages', async () => {
  for (const path of ['/roundup', `/roundup/${findWeekBefore(new Date(Date.now() + 7 * 86_400_000)).week}`]) {
    assert.match((await read(api, path)).text, /<a href="\/roundup" aria-current="page">/, path);
  }
});
