/**
 * The HTML of discussions, buttons and pages for a single reader, so that no change goes unnoticed.
 * `node --test --test-update-snapshots test/api/readers/recorded-pages.test.ts` writes it.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type Discussion,
  nameCount,
  renderCommentBody,
  renderCommentForm,
  renderCommentsPage,
  renderDiscussion,
} from '../../../api/readers/comments/discussion.ts';
import { renderLock } from '../../../api/readers/comments/managed-routes.ts';
import {
  nameFollowers,
  renderFollowForm,
  renderOwnReactions,
  renderReactions,
  renderSubscribeForm,
} from '../../../api/readers/engagement/buttons.ts';
import {
  buildArticlePath,
  buildArticleViewerPath,
  buildAuthorPath,
  buildCommentPath,
  buildCommentsPath,
  buildReactionsPath,
} from '../../../api/readers/paths.ts';
import { renderConfirmFirst, renderReaderPage, renderSignInFirstPage } from '../../../api/readers/reader-pages.ts';
import type { Html } from '../../../api/web/html.ts';
import type { ListedComment } from '../../../store/comments/list-comments.ts';
import { recordHtml } from '../../support/api/record-html.ts';

const AT = new Date('2026-11-20T12:00:00Z');
const record = (context: TestContext, name: string, parts: Record<string, Html | string | null>) =>
  recordHtml(context, import.meta.dirname, name, parts);

const COMMENT: ListedComment = {
  ...{
    id: 'c1',
    articleId: 'a1',
    parentId: null,
    depth: 0,
    state: 'visible',
    authorName: 'Ada',
    authorUsername: 'ada',
  },
  ...{ body: 'Words.', html: '<p>Words.</p>', isQuestion: false, acceptedAt: null, createdAt: AT, editedAt: null },
  path: Buffer.from('0f1e', 'hex'),
};
const DISCUSSION: Discussion = {
  ...{ slug: 'a slug', authorUsername: 'author', isOpen: true, count: 0, answer: null, comments: [] },
  ...{ hasEarlier: false, hasLater: false },
};

test('a discussion has the recorded HTML in all its states', (context) => {
  const discussion = (more: Partial<Discussion>) => renderDiscussion({ ...DISCUSSION, ...more });
  const comments: ListedComment[] = [
    { ...COMMENT, isQuestion: true, editedAt: AT },
    {
      ...COMMENT,
      id: 'c2',
      parentId: 'c1',
      depth: 1,
      acceptedAt: AT,
      authorName: 'The author',
      authorUsername: 'author',
    },
    { ...COMMENT, id: 'c3', parentId: 'c2', depth: 7, authorName: null, authorUsername: null },
    { ...COMMENT, id: 'c4', parentId: 'c0', depth: 6, state: 'hidden', authorName: null, authorUsername: null },
    { ...COMMENT, id: 'c5', parentId: 'c4', depth: 6, authorName: '<b>' },
    { ...COMMENT, id: 'c6', state: 'deleted', acceptedAt: AT },
    { ...COMMENT, id: 'c7', parentId: 'c00', path: Buffer.from('ff', 'hex') },
  ];
  record(context, 'discussions', {
    'no comment yet': discussion({}),
    'seven comments, of which one is the accepted answer': discussion({
      ...{ count: 7, comments, answer: { id: 'c2', authorName: 'The author' }, hasLater: true },
    }),
    'a later page of closed comments, without the answer': discussion({
      ...{ count: 1_000, isOpen: false, hasEarlier: true, comments: comments.slice(0, 1) },
      answer: { id: 'c9', authorName: null },
    }),
    'a page without comments': discussion({ hasLater: true, hasEarlier: true }),
    'the page of its own': renderCommentsPage('A <title>', DISCUSSION).replace(
      /^[\s\S]*<div data-viewer/,
      '<div data-viewer',
    ),
  });
  assert.match(renderCommentsPage('A <title>', DISCUSSION), /<title>Comments on A &lt;title&gt; · Courant<\/title>/);
  assert.match(renderCommentsPage('A title', DISCUSSION), /<meta name="robots" content="noindex/);
});

test('the forms of comments and reactions have the recorded HTML', (context) => {
  const form = (more: object) => renderCommentForm({ slug: 's', parent: null, body: '', ...more });
  const kinds = ['like', 'love', 'insightful', 'celebrate'] as const;
  const reactions = kinds.map((kind, index) => ({ kind, count: index, isMine: false }));
  record(context, 'forms', {
    'a comment': form({}),
    'a question with its text': form({ body: '<Why>?', isQuestion: true }),
    'a reply to a person': form({ parent: { id: 'c1', name: 'Ada' }, isQuestion: true }),
    'a reply': form({ parent: { id: 'c1', name: null }, body: 'Text' }),
    reactions: renderReactions('s', reactions),
    'own reactions, none given': renderOwnReactions('s', reactions),
    'own reactions, one given': renderOwnReactions(
      's',
      reactions.map((one) => ({ ...one, isMine: one.kind === 'love' })),
    ),
    'own reactions, all given': renderOwnReactions(
      's',
      reactions.map((one) => ({ ...one, isMine: true })),
    ),
    follow: renderFollowForm('ada'),
    unfollow: renderFollowForm('ada', { isFollowed: true }),
    subscribe: renderSubscribeForm('ada', 'a"b'),
    'close comments': renderLock('a b', true),
    'reopen comments': renderLock('a b', false),
  });
});

test('pages for a single reader have the recorded HTML', (context) => {
  const back = { path: '/back', text: 'Back' };
  const main = (page: string) => page.replace(/^[\s\S]*<div class="reader">/, '').replace(/<\/main>[\s\S]*$/, '');
  const signIn = (fields: [string, string][]) =>
    renderSignInFirstPage({
      ...{ title: 'Sign in to comment', action: '/articles/s/comments', fields, email: 'a"@b', back },
      notice: { kind: 'refused', text: 'Wrong.' },
    });
  record(context, 'reader-pages', {
    'a result': main(renderReaderPage('A <title>', { notice: { kind: 'done', text: 'Done.' }, back }, null)),
    'sign in with a text': main(
      signIn([
        ['body', 'Text'],
        ['parentId', 'c1'],
      ]),
    ),
    'sign in with another field': main(signIn([['kind', 'like']])),
    'sign in with an empty text': main(signIn([['body', '']])),
    'confirm first, with the sent form': renderConfirmFirst(renderSubscribeForm('ada')),
    'confirm first, without': renderConfirmFirst(null),
  });
  const page = renderReaderPage('A title', { notice: null, back }, null);
  assert.match(page, /<title>A title · Courant<\/title>/);
  assert.match(page, /<meta name="robots" content="noindex/);
});

test('a comment of more than 3,000 characters or 40 lines scrolls', () => {
  const render = (body: string | null) => renderCommentBody({ body, html: '<p>x</p>' }).text;
  const short = '<div class="comment-body prose" lang="" dir="auto"><p>x</p></div>';
  const long =
    '<div class="comment-body prose long" lang="" dir="auto" tabindex="0" role="group" aria-label="A long comment"><p>x</p></div>';
  assert.equal(render('x'.repeat(3_000)), short);
  assert.equal(render('x'.repeat(3_001)), long);
  assert.equal(render('\n'.repeat(39)), short);
  assert.equal(render('\n'.repeat(40)), long);
  assert.equal(renderCommentBody({ body: null, html: null }).text, short.replace('<p>x</p>', ''));
});

test('comments and followers are counted in words', () => {
  assert.deepEqual([0, 1, 2, 1_234].map(nameCount), ['Comments', '1 comment', '2 comments', '1,234 comments']);
  assert.deepEqual([0, 1, 1_234].map(nameFollowers), ['0 followers', '1 follower', '1,234 followers']);
});

test('paths encode slugs and user names', () => {
  assert.equal(buildArticlePath('a/b', '#x'), '/a%2Fb#x');
  assert.equal(buildArticlePath('a'), '/a');
  assert.equal(buildCommentsPath('a/b'), '/articles/a%2Fb/comments');
  assert.equal(buildCommentPath('a', 'c1'), '/articles/a/comments?at=c1#comment-c1');
  assert.equal(buildReactionsPath('a/b'), '/articles/a%2Fb/reactions');
  assert.equal(buildArticleViewerPath('a/b'), '/articles/a%2Fb/viewer');
  assert.equal(buildAuthorPath('a/b'), '/authors/a%2Fb');
  assert.equal(buildAuthorPath('a/b', 'follow'), '/people/a%2Fb/follow');
});
