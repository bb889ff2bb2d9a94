/** Loads one page of the comments of a public article, as every reader sees them. */
import { formatDate } from '../../../article/text/format-date.ts';
import { MAX_DEPTH } from '../../../store/comments/add-comment.ts';
import { COMMENT_PAGE_LENGTH, findAcceptedAnswer } from '../../../store/comments/find-comment.ts';
import { countComments, type ListedComment, listComments } from '../../../store/comments/list-comments.ts';
import { type CommentedArticle, isOpen } from '../../../store/comments/open-comments.ts';
import type { Database } from '../../../store/db/database.ts';
import { renderAvatar } from '../../web/avatar.ts';
import { type Html, html, trustHtml } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import { buildArticlePath, buildArticleViewerPath, buildCommentPath, buildCommentsPath } from '../paths.ts';
import { MAX_COMMENT_LENGTH } from './comment.ts';

export interface DiscussedArticle extends CommentedArticle {
  id: string;
  slug: string;
  authorUsername: string;
}

/** Returns null if comments are turned off for the article. */
export async function findDiscussion(db: Database, article: DiscussedArticle, after: Buffer | null = null) {
  if (!article.commentsEnabled) return null;
  const { id: articleId, slug, authorUsername } = article;
  const [rows, count, answer] = await Promise.all([
    listComments(db, { articleId, viewerId: null, first: COMMENT_PAGE_LENGTH + 1, after }),
    countComments(db, articleId),
    findAcceptedAnswer(db, articleId),
  ]);
  return {
    ...{ slug, authorUsername, isOpen: isOpen(article) },
    /** Of all visible comments, not only of this page. */
    count,
    answer: answer ?? null,
    comments: rows.slice(0, COMMENT_PAGE_LENGTH),
    hasEarlier: after !== null,
    hasLater: rows.length > COMMENT_PAGE_LENGTH,
  };
}

/** The comments of one page, and what surrounds them. */
export type Discussion = NonNullable<Awaited<ReturnType<typeof findDiscussion>>>;

export function renderDiscussion(discussion: Discussion): Html {
  const { slug, isOpen, count, comments, hasEarlier } = discussion;
  const shown = new Map(comments.map((comment) => [comment.id, comment]));
  const items = comments.map((comment) => renderComment(comment, { discussion, shown }));
  return html`<section class="comments" id="comments" aria-labelledby="comments-title" data-author="${discussion.authorUsername}">
<h2 id="comments-title" class="rule">${nameCount(count)}</h2>
${renderAnswerLink(discussion, shown)}
${isOpen ? renderCommentForm({ slug, parent: null, body: '' }) : html`<p class="soft closed">Comments are closed.</p>`}
${hasEarlier ? html`<p><a href="${buildArticlePath(slug, '#comments')}">Earlier comments</a></p>` : null}
${items.length > 0 ? html`<ol class="threads">${items}</ol>` : null}
${renderMore(discussion)}</section>`;
}

/** Formats a count as `12 comments`. Links use it too. */
export function nameCount(count: number): string {
  if (count === 0) return 'Comments';
  return count === 1 ? '1 comment' : `${count.toLocaleString('en')} comments`;
}

type CommentsById = ReadonlyMap<string, ListedComment>;

function renderAnswerLink({ slug, answer }: Discussion, shown: CommentsById): Html | null {
  if (answer === null) return null;
  const path = shown.has(answer.id) ? `#comment-${answer.id}` : buildCommentPath(slug, answer.id);
  return html`<p class="answer-link"><span aria-hidden="true">✓ </span><a href="${path}">The accepted answer</a> is by <bdi>${answer.authorName ?? CLOSED_ACCOUNT}</bdi>.</p>`;
}

function renderMore({ slug, comments, hasLater }: Discussion): Html | null {
  const last = comments.at(-1);
  if (!hasLater || !last) return null;
  return html`<p><a class="button" href="${buildCommentsPath(slug)}?after=${last.path.toString('hex')}" rel="nofollow">More comments</a></p>`;
}

function renderComment(
  comment: ListedComment,
  { discussion, shown }: { discussion: Discussion; shown: CommentsById },
): Html {
  const { id, depth, state, acceptedAt } = comment;
  const names = `comment d${depth}${acceptedAt ? ' accepted' : ''}`;
  if (state !== 'visible') {
    const text =
      state === 'deleted' ? 'This comment was deleted by the person who wrote it.' : 'This comment is not shown.';
    return html`<li class="${names} withheld" id="comment-${id}"><p class="soft">${text}</p></li>`;
  }
  return html`<li class="${names}" id="comment-${id}">${renderCommentHead(comment, { discussion, shown })}
${renderCommentBody(comment)}
<div class="comment-acts">${discussion.isOpen && depth < MAX_DEPTH ? renderReply(comment, discussion) : null}<a class="manage" href="/comments/${id}" rel="nofollow">Manage<span class="sr-only"> the comment by <bdi>${nameWriter(comment)}</bdi></span></a></div></li>`;
}

function renderCommentHead(
  comment: ListedComment,
  { discussion, shown }: { discussion: Discussion; shown: CommentsById },
): Html {
  const { id, parentId, authorUsername, acceptedAt, createdAt, editedAt, isQuestion } = comment;
  const name = nameWriter(comment);
  const writer =
    authorUsername === null
      ? html`<span dir="auto">${name}</span>`
      : html`<a class="who" href="/authors/${authorUsername}" dir="auto">${name}</a>`;
  const isByAuthor = authorUsername !== null && authorUsername === discussion.authorUsername;
  return html`<div class="comment-head">${renderAvatar({ name, pictureUrl: null })}<p>${writer}${
    isByAuthor ? html` <span class="state info">Author</span>` : null
  }${isQuestion ? html` <span class="state">Question</span>` : null}${
    acceptedAt ? html` <span class="state good"><span aria-hidden="true">✓</span> Accepted answer</span>` : null
  }<br><span class="soft small"><a href="#comment-${id}"><time datetime="${createdAt.toISOString()}">${formatDate(createdAt)}</time></a>${
    editedAt ? html` · <span title="${editedAt.toISOString()}">edited</span>` : null
  }${parentId === null ? null : renderParentLink(parentId, { slug: discussion.slug, shown })}</span></p></div>`;
}

/** Names the parent for screen readers, which do not show the indentation. */
function renderParentLink(parentId: string, { slug, shown }: { slug: string; shown: CommentsById }): Html {
  const parent = shown.get(parentId);
  const path = parent ? `#comment-${parentId}` : buildCommentPath(slug, parentId);
  const parentName = parent?.state === 'visible' ? html`<bdi>${nameWriter(parent)}</bdi>` : 'a comment';
  return html` · <a class="reply-to" href="${path}">to ${parentName}</a>`;
}

/** The stylesheet confines the untrusted text to its box and sets the direction per paragraph. */
export function renderCommentBody({ body, html: rendered }: Pick<ListedComment, 'body' | 'html'>): Html {
  const isLong = (body?.length ?? 0) > SHORT_LENGTH || (body?.split('\n').length ?? 0) > SHORT_LINES;
  const scrolls = isLong ? html` tabindex="0" role="group" aria-label="A long comment"` : null;
  return html`<div class="comment-body prose${isLong ? ' long' : ''}" lang="" dir="auto"${scrolls}>${trustHtml(rendered ?? '')}</div>`;
}

const SHORT_LENGTH = 3_000;
const SHORT_LINES = 40;

function renderReply(comment: ListedComment, { slug }: Discussion): Html {
  const parent = { id: comment.id, name: nameWriter(comment) };
  return html`<details class="reply"><summary>Reply<span class="sr-only"> to <bdi>${parent.name}</bdi></span></summary>${renderCommentForm({ slug, parent, body: '' })}</details>`;
}

function nameWriter({ authorName }: Pick<ListedComment, 'authorName'>): string {
  return authorName ?? CLOSED_ACCOUNT;
}

const CLOSED_ACCOUNT = 'a closed account';

interface CommentForm {
  slug: string;
  /** The comment to reply to. Null for a comment on the article. */
  parent: { id: string; name: string | null } | null;
  /** Text of a rejected attempt, otherwise empty. */
  body: string;
  isQuestion?: boolean;
}

export function renderCommentForm({ slug, parent, body, isQuestion = false }: CommentForm): Html {
  const label = parent === null ? 'Your comment' : `Your reply${parent.name === null ? '' : ` to ${parent.name}`}`;
  const text = parent === null ? 'Comment' : 'Reply';
  // HTML drops a line break directly after the tag, so the template adds one.
  return html`<form class="comment-form" method="post" action="${buildCommentsPath(slug)}" data-act="comment">${
    parent === null ? null : html`<input type="hidden" name="parentId" value="${parent.id}">`
  }<textarea name="body" aria-label="${label}" required maxlength="${MAX_COMMENT_LENGTH}" dir="auto"${
    parent === null ? html` placeholder="Write a comment. Markdown is supported."` : null
  }>
${body}</textarea><div class="actions"><button class="button${parent === null ? ' primary' : ''} compact">${text}</button>${
    parent === null
      ? html`<label class="small"><input type="checkbox" name="isQuestion" value="true"${isQuestion ? html` checked` : null}> This is a question</label>`
      : null
  }</div></form>`;
}

export function renderCommentsPage(title: string, discussion: Discussion): string {
  const { slug } = discussion;
  return renderPage(
    { title: `Comments on ${title} · Courant`, isNoindex: true },
    html`<div data-viewer="${buildArticleViewerPath(slug)}"><h1>Comments on <a href="${buildArticlePath(slug)}" dir="auto">${title}</a></h1>
${renderDiscussion(discussion)}</div>`,
  );
}
