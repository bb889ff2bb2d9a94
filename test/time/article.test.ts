/**
 * Schedules over months and years with real activities and a real database, on a server with a
 * skipping clock.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { markdown, type TestAuthor } from '../support/api/api.ts';
import { skip } from './support/time-machine.ts';
import { startTimedWorld, type TimedWorld } from './support/world.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** The tolerance for lateness: a few round trips. */
const PROMPT_MS = 20_000;

describe('over months and years', { skip }, () => {
  let world: TimedWorld;
  before(async () => {
    world = await startTimedWorld();
  });
  after(() => world.close());

  test('a post scheduled in a year becomes public and is delivered once at its time, and not before', async () => {
    const author = await connectedAuthor('in-a-year');
    const at = inDays(365);
    const id = await schedule(author, 'In a year', at);
    await world.pass(364 * DAY_MS);
    assert.equal((await article(id)).status, 'SCHEDULED');
    assert.deepEqual(await world.log('In a year'), []);
    assert.match(await world.ends(`article/${id}`, '2 days'), /^woke blogsite_a/);
    assertPrompt((await article(id)).publishedAt, at);
    await world.ends(`delivery/${id}/blogsite_a`, '1 minute');
    const [entry, ...more] = await world.log('In a year');
    assert.deepEqual(more, []);
    assertPrompt(new Date(entry?.at ?? ''), at);
    assert.deepEqual(await notices(id), [], 'nothing was late, and nothing else than promised');
  });

  test('a post that is rescheduled twice is published at the last time only', async () => {
    const author = await connectedAuthor('rescheduler');
    await schedule(author, 'Moved about', inDays(30));
    await world.pass(5 * DAY_MS);
    await schedule(author, 'Moved about', inDays(5));
    await world.pass(1 * DAY_MS);
    const at = inDays(40);
    const id = await schedule(author, 'Moved about', at);
    await world.pass(30 * DAY_MS);
    assert.equal((await article(id)).status, 'SCHEDULED', 'neither of the former times did anything');
    await world.ends(`article/${id}`, '11 days');
    await world.ends(`delivery/${id}/blogsite_a`, '1 minute');
    assertPrompt((await article(id)).publishedAt, at);
    assert.equal((await world.log('Moved about')).length, 1);
  });

  test('an hour before, the author is notified once of a destination that would reject the post', async () => {
    const author = await connectedAuthor('to-be-warned');
    const at = inDays(90);
    const id = await schedule(author, 'To be warned of', at);
    await world.api.db.deleteFrom('connections').where('userId', '=', author.id).execute();
    await world.pass(89 * DAY_MS);
    assert.deepEqual(await world.notifications(author), []);
    await world.ends(`article/${id}`, '2 days');
    const [warning, ...more] = await world.api.db
      .selectFrom('notifications')
      .select(['type', 'createdAt'])
      .where('userId', '=', author.id)
      .execute();
    assert.deepEqual(more, []);
    assert.equal(warning?.type, 'CROSS_POST_FAILED');
    assertPrompt(warning?.createdAt ?? null, new Date(at.getTime() - HOUR_MS));
    assertPrompt((await article(id)).publishedAt, at);
  });

  test('a post whose schedule is cancelled a year before stays a draft', async () => {
    const author = await connectedAuthor('called-off');
    const at = inDays(400);
    const id = await schedule(author, 'Called off', at);
    await world.pass(300 * DAY_MS);
    await publish(author, { title: 'Called off', draft: true });
    await world.ends(`article/${id}`, '1 minute');
    await world.pass(200 * DAY_MS);
    assert.ok(world.now() > at);
    assert.equal((await article(id)).status, 'DRAFT');
    assert.deepEqual(await world.log('Called off'), []);
  });

  async function connectedAuthor(name: string): Promise<TestAuthor> {
    const author = await world.api.createAuthor(name);
    await world.connect(author, 'blogsite_a');
    return author;
  }

  function inDays(days: number): Date {
    return new Date(world.now().getTime() + days * DAY_MS);
  }

  function schedule(author: TestAuthor, title: string, at: Date): Promise<string> {
    return publish(author, { title, scheduled_at: at.toISOString() });
  }

  async function publish(author: TestAuthor, frontmatter: Record<string, unknown>): Promise<string> {
    const answer = await world.api.publish({ content: markdown(frontmatter) }, { token: author.token });
    assert.ok(answer.body.data, JSON.stringify(answer.body));
    await world.waitForEmptyOutbox();
    return answer.body.data.id;
  }

  function article(id: string) {
    return world.api.db
      .selectFrom('articles')
      .select(['status', 'publishedAt', 'remindedFor'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  }

  async function notices(id: string): Promise<string[]> {
    const rows = await world.api.db.selectFrom('articleNotices').select('code').where('articleId', '=', id).execute();
    return rows.map(({ code }) => code);
  }

  function assertPrompt(moment: Date | null, due: Date): void {
    assert.ok(moment, 'it never came');
    const lateMs = moment.getTime() - due.getTime();
    assert.ok(lateMs >= 0 && lateMs < PROMPT_MS, `${lateMs} ms after ${due.toISOString()}`);
  }
});
