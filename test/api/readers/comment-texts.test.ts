/** The text of a comment: its limits, its default as a question, and the pages of a discussion. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DocumentsBusyError } from '../../../api/documents/pool.ts';
import { changeComment, writeComment } from '../../../api/readers/comments/comment.ts';
import { TooComplexError } from '../../../article/errors.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { comment } from '../../support/api/comments.ts';
import { createReaders, type Readers } from './support/readers.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

let api: TestApi;
let readers: Readers;
let slug: string;
before(async () => {
  // Nothing listens there: no workflow is needed.
  api = await startTestApi({ temporal: '127.0.0.1:1' });
  readers = createReaders(api);
  ({ slug } = await readers.publish('Texts'));
});
after(() => api.close());

const RENDERED = { html: '<p>x</p>', isEmpty: false, isQuestion: true };

/** Writes a comment of a new user, with this rendered text. */
async function write(body: string, render: () => object = () => RENDERED, isQuestion?: boolean) {
  const { id: userId } = await readers.join('Writer');
  const rendered: unknown[] = [];
  const renderComment = async (...input: unknown[]) => {
    rendered.push(input);
    return render();
  };
  const deps = {
    db: api.db,
    now: () => NOW,
    config: { baseUrl: 'https://blog.example/x' },
    documents: { renderComment },
  };
  const { id } = await writeComment(deps as never, { userId, slug, parentId: null, body, isQuestion });
  const row = await api.db.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return { deps, userId, row, rendered };
}

test('a comment is cleaned before it is rendered and stored', async () => {
  const { row, rendered, userId } = await write(' a\r\nb\u0000 ');
  assert.deepEqual(rendered, [[userId, row.body, 'https://blog.example']]);
  assert.deepEqual([row.body, row.html, row.isQuestion, row.createdAt], ['a\nb', '<p>x</p>', true, NOW]);
});

test('whether a comment is a question is derived from its text, unless its writer says so', async () => {
  assert.equal((await write('Derived')).row.isQuestion, true);
  assert.equal((await write('Said', undefined, false)).row.isQuestion, false);
  assert.equal((await write('Not', () => ({ ...RENDERED, isQuestion: false }))).row.isQuestion, false);
});

test('a comment has at most 10,000 characters after cleaning, and 20,000 before', async () => {
  const message = 'A comment can have at most 10,000 characters.';
  const long = { code: 'BAD_INPUT', field: 'body', message };
  assert.equal((await write(`${'x'.repeat(10_000)}${' '.repeat(10_000)}`)).row.body.length, 10_000);
  await assert.rejects(write('x'.repeat(10_001)), long);
  await assert.rejects(write(`x${' '.repeat(20_000)}`), long);
});

test('a comment that is empty, too complex or cannot be rendered now is rejected with the reason', async () => {
  const fail = (error: Error) => () => {
    throw error;
  };
  await assert.rejects(
    write('x', () => ({ ...RENDERED, isEmpty: true })),
    {
      ...{ code: 'BAD_INPUT', field: 'body', message: 'A comment needs some text.' },
    },
  );
  const complex = new TooComplexError('It is nested too deeply.');
  await assert.rejects(write('x', fail(complex)), { code: 'BAD_INPUT', field: 'body', message: complex.message });
  await assert.rejects(write('x', fail(new DocumentsBusyError())), {
    code: 'BUSY',
    message: 'The service is busy. Your comment was not saved. Try again in a few seconds.',
  });
  await assert.rejects(write('x', fail(new Error('a bug'))), { message: 'a bug' });
});

test('an edited comment has the same limits, and the time of its change', async () => {
  const { deps, userId, row } = await write('First');
  const later = { ...deps, now: () => new Date('2026-11-21T13:00:00Z') } as never;
  await changeComment(later, { userId, commentId: row.id, body: 'Second' });
  const changed = await api.db
    .selectFrom('comments')
    .select(['body', 'editedAt'])
    .where('id', '=', row.id)
    .executeTakeFirst();
  assert.deepEqual(changed, { body: 'Second', editedAt: new Date('2026-11-21T13:00:00Z') });
  await assert.rejects(changeComment(later, { userId, commentId: row.id, body: 'x'.repeat(10_001) }), {
    code: 'BAD_INPUT',
  });
});

test('a page of a discussion is never cached or indexed; an invalid position gives the first one', async () => {
  const { slug: long } = await readers.publish('Long discussion');
  const { id: userId } = await readers.join('Talker');
  for (let n = 0; n < 101; n++) {
    await comment(api.db, { slug: long, userId, body: `Number ${n}.`, now: new Date(NOW.getTime() + n * 1_000) });
  }
  const path = `/articles/${long}/comments`;
  const first = await readers.read(path);
  assert.deepEqual([first.headers.get('cache-control'), first.headers.get('x-robots-tag')], ['no-cache', 'noindex']);
  assert.match(first.text, /Number 0\.<[\s\S]*Number 99\.</);
  assert.doesNotMatch(first.text, /Number 100\.<|Earlier comments/);
  const [, after = ''] = /\?after=([0-9a-f]+)"/.exec(first.text) ?? [];
  const second = await readers.read(`${path}?after=${after}`);
  assert.match(second.text, /Earlier comments[\s\S]*Number 100\.</);
  assert.doesNotMatch(second.text, /Number 99\.<|More comments/);
  for (const wrong of [
    `${after}f`,
    `x${after}`,
    `${after}x`,
    after.toUpperCase().replace(/^/, 'G'),
    '',
    'ff'.repeat(401),
  ]) {
    assert.match((await readers.read(`${path}?after=${wrong}`)).text, /Number 0\.</, wrong.slice(0, 20));
  }
  assert.doesNotMatch((await readers.read(`${path}?after=${'ff'.repeat(400)}`)).text, /Number 0\.</);
});

test('a comment is reached at its own article, also after the slug has changed', async () => {
  const { slug: one } = await readers.publish('One');
  const { slug: other } = await readers.publish('Other');
  const { id: userId } = await readers.join('Linker');
  const id = await comment(api.db, { slug: one, userId });
  const moved = await readers.read(`/articles/${other}/comments?at=${id}`);
  assert.deepEqual(
    [moved.status, moved.headers.get('location')],
    [303, `/articles/${one}/comments?at=${id}#comment-${id}`],
  );
  const unknown = await readers.read(`/articles/${other}/comments?at=nothing`);
  assert.deepEqual([unknown.status, unknown.headers.get('location')], [303, `/${other}#comments`]);
  assert.equal((await readers.read(`/articles/${one}/comments?at=${id}`)).status, 200);
});
