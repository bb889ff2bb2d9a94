/**
 * Pages that show a viewer's own reactions and follows, with forms to undo them. Forms without
 * script redirect here.
 */
import type { ReactionCount } from '../../store/reactions/react.ts';
import { html } from '../web/html.ts';
import type { Notice } from '../web/notice.ts';
import { renderLock } from './comments/manage-page.ts';
import { renderFollowForm, renderSubscribeForm } from './engagement/follow-button.ts';
import { renderOwnReactions } from './engagement/reactions.ts';
import { buildArticlePath, buildAuthorPath } from './paths.ts';
import { renderReaderPage } from './reader-pages.ts';

export interface ArticleViewer {
  slug: string;
  title: string;
  reactions: readonly ReactionCount[];
  isArticleAuthor: boolean;
  commentsOpen: boolean;
}

export function renderArticleViewerPage(viewer: ArticleViewer, notice: Notice | null): string {
  const { slug, title, reactions, isArticleAuthor, commentsOpen } = viewer;
  return renderReaderPage(
    title,
    { notice, back: { path: buildArticlePath(slug), text: 'Back to the article' } },
    html`<h2 class="rule">Reactions</h2>
${renderOwnReactions(slug, reactions)}
${isArticleAuthor ? html`<h2 class="rule">Comments</h2>${renderLock(slug, commentsOpen)}` : null}`,
  );
}

export interface AuthorViewer {
  username: string;
  name: string;
  isFollowed: boolean;
  isSelf: boolean;
}

export function renderAuthorViewerPage(viewer: AuthorViewer, notice: Notice | null): string {
  const { username, name, isFollowed, isSelf } = viewer;
  const state = isFollowed ? 'You follow this author.' : 'You do not follow this author.';
  return renderReaderPage(
    name,
    { notice, back: { path: buildAuthorPath(username), text: 'Back to the articles' } },
    html`${isSelf ? html`<p>This is you.</p>` : html`<p>${state}</p>${renderFollowForm(username, { isFollowed })}`}
<h2 class="rule">Newsletter</h2>
${renderSubscribeForm(username)}`,
  );
}
