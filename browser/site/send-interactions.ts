/**
 * Sends comments, reactions, follows and subscriptions in the background. Marks the earlier actions
 * of the signed-in reader.
 */
import { markSent, removeDraft, restoreDrafts, storeDrafts } from './drafts.ts';
import { sendForm, showFormMessage } from './send-form.ts';
import { findViewer, type Viewer } from './viewer.ts';

/** The response of the address in `data-viewer`. */
interface ViewerState {
  reactions?: string[];
  isFollowed: boolean;
}

let viewer: Viewer | null = null;

export async function sendInteractionsInPlace(): Promise<void> {
  const container = document.querySelector<HTMLElement>('[data-viewer]');
  if (!container) return;
  storeDrafts();
  openCommentPage();
  document.addEventListener('submit', handleSubmit);
  document.addEventListener('keydown', sendByKey);
  viewer = await findViewer();
  markOwnContent();
  if (!viewer) return;
  const response = await fetch(container.dataset.viewer ?? '', { headers: { accept: 'application/json' } });
  if (response.ok) mark((await response.json()) as ViewerState);
}

/**
 * Opens the page of comments that contains the linked comment. The article page shows only some of
 * them.
 */
function openCommentPage(): void {
  const [, id] = /^#comment-([0-9a-f-]{36})$/.exec(location.hash) ?? [];
  const list = document.querySelector<HTMLFormElement>('form[data-act="comment"]')?.getAttribute('action');
  if (id && list && location.pathname !== list && !document.getElementById(`comment-${id}`)) {
    location.replace(`${list}?at=${id}${location.hash}`);
  }
}

const HANDLERS: Record<string, (form: HTMLFormElement, submitter: HTMLElement | null) => Promise<void>> = {
  comment,
  follow,
  react,
  subscribe,
};

/** Signed-out readers submit the form as a page, and the server shows the sign-in page. */
function handleSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const { act = '' } = form.dataset;
  const send = HANDLERS[act];
  if (!send) return;
  if (!viewer && act !== 'subscribe') {
    if (act === 'comment') markSent(form);
    return;
  }
  event.preventDefault();
  void send(form, event.submitter);
}

function sendByKey({ key, metaKey, ctrlKey, target }: KeyboardEvent): void {
  if (key !== 'Enter' || !(metaKey || ctrlKey) || !(target instanceof HTMLTextAreaElement)) return;
  target.form?.requestSubmit();
}

async function comment(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const result = await sendForm(form, submitter, { onLeave: () => markSent(form) });
  if (!result) return;
  removeDraft(form);
  const { pathname, search, hash } = new URL(result.path, location.href);
  const isSamePage = pathname === location.pathname && search === location.search;
  if (!isSamePage || !(await replaceComments())) return location.assign(result.path);
  location.hash = hash;
  const newComment = document.getElementById(hash.slice(1));
  if (!newComment) return confirmPosted();
  newComment.tabIndex = -1;
  newComment.focus({ preventScroll: true });
  showFormMessage(newComment, 'Your comment is posted.');
}

/** The page came from another API instance, which does not have the new comment yet. */
function confirmPosted(): void {
  const form = document.querySelector('#comments > .comment-form');
  if (form) showFormMessage(form, 'Your comment is posted. It appears here in a moment.');
}

async function replaceComments(): Promise<boolean> {
  const response = await fetch(location.pathname + location.search, { cache: 'no-store' });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const fresh = page.getElementById('comments');
  if (!response.ok || !fresh) return false;
  document.getElementById('comments')?.replaceWith(fresh);
  restoreDrafts();
  markOwnContent();
  return true;
}

async function react(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const isActive = submitter?.getAttribute('aria-pressed') === 'true';
  if (!submitter || !(await sendForm(form, submitter, { more: { act: isActive ? 'take' : 'give' } }))) return;
  submitter.setAttribute('aria-pressed', String(!isActive));
  const count = submitter.querySelector('.count');
  if (count) count.textContent = String(Number(count.textContent) + (isActive ? -1 : 1));
}

async function follow(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const isFollowed = form.action.endsWith('/unfollow');
  const result = await sendForm(form, submitter);
  if (!result) return;
  markFollowed(!isFollowed);
  countFollower(isFollowed ? -1 : 1);
  showFormMessage(form, result.notice ?? '');
}

/** Uses the same wording as the page from the server. */
function countFollower(difference: number): void {
  const container = document.querySelector<HTMLElement>('[data-followers]');
  if (!container) return;
  const count = Math.max(0, Number(container.dataset.followers) + difference);
  container.dataset.followers = String(count);
  container.textContent = count === 1 ? '1 follower' : `${count.toLocaleString('en')} followers`;
}

async function subscribe(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const result = await sendForm(form, submitter);
  if (result) showFormMessage(form, result.notice ?? '');
}

function mark({ reactions = [], isFollowed }: ViewerState): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('.reaction')) {
    button.setAttribute('aria-pressed', String(reactions.includes(button.value)));
  }
  markFollowed(isFollowed);
}

function markFollowed(isFollowed: boolean): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-act="follow"]')) {
    form.action = form.action.replace(/\/(?:un)?follow$/, isFollowed ? '/unfollow' : '/follow');
    const button = form.querySelector('button');
    if (button) button.textContent = isFollowed ? 'Unfollow' : 'Follow';
  }
}

/**
 * Hides the follow button of one's own page. Shows the management links of a comment to its writer
 * and to the author of the article.
 */
function markOwnContent(): void {
  const ownPath = viewer && `/authors/${viewer.username}`;
  const isArticleAuthor = viewer && document.getElementById('comments')?.dataset.author === viewer.username;
  for (const link of document.querySelectorAll<HTMLElement>('.manage')) {
    const isOwn = ownPath && link.closest('.comment')?.querySelector(`.who[href="${ownPath}"]`);
    link.hidden = !isArticleAuthor && !isOwn;
  }
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-act="follow"]')) {
    form.hidden = ownPath !== null && form.getAttribute('action') === `/people/${viewer?.username}/follow`;
  }
}
