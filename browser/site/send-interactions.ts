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
  const place = document.querySelector<HTMLElement>('[data-viewer]');
  if (!place) return;
  storeDrafts();
  showPlace();
  document.addEventListener('submit', handleSubmit);
  document.addEventListener('keydown', sendByKey);
  viewer = await findViewer();
  markOwn();
  if (!viewer) return;
  const response = await fetch(place.dataset.viewer ?? '', { headers: { accept: 'application/json' } });
  if (response.ok) mark((await response.json()) as ViewerState);
}

/**
 * Opens the page of comments that contains the linked comment. The article page shows only some of
 * them.
 */
function showPlace(): void {
  const [, id] = /^#comment-([0-9a-f-]{36})$/.exec(location.hash) ?? [];
  const list = document.querySelector<HTMLFormElement>('form[data-act="comment"]')?.getAttribute('action');
  if (id && list && location.pathname !== list && !document.getElementById(`comment-${id}`)) {
    location.replace(`${list}?at=${id}${location.hash}`);
  }
}

const ACTS: Record<string, (form: HTMLFormElement, submitter: HTMLElement | null) => Promise<void>> = {
  comment,
  follow,
  react,
  subscribe,
};

/** Signed-out readers submit the form as a page, and the server asks them to sign in. */
function handleSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const { act = '' } = form.dataset;
  const send = ACTS[act];
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
  const answer = await sendForm(form, submitter, { onLeave: () => markSent(form) });
  if (!answer) return;
  removeDraft(form);
  const { pathname, search, hash } = new URL(answer.path, location.href);
  const isHere = pathname === location.pathname && search === location.search;
  if (!isHere || !(await replaceComments())) return location.assign(answer.path);
  location.hash = hash;
  const added = document.getElementById(hash.slice(1));
  if (!added) return confirmPosted();
  added.tabIndex = -1;
  added.focus({ preventScroll: true });
  showFormMessage(added, 'Your comment is posted.');
}

/** Another API instance sent the page, which does not have the new comment. */
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
  markOwn();
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
  const answer = await sendForm(form, submitter);
  if (!answer) return;
  markFollowed(!isFollowed);
  countFollower(isFollowed ? -1 : 1);
  showFormMessage(form, answer.notice ?? '');
}

/** Uses the same wording as the page from the server. */
function countFollower(more: number): void {
  const place = document.querySelector<HTMLElement>('[data-followers]');
  if (!place) return;
  const count = Math.max(0, Number(place.dataset.followers) + more);
  place.dataset.followers = String(count);
  place.textContent = count === 1 ? '1 follower' : `${count.toLocaleString('en')} followers`;
}

async function subscribe(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const answer = await sendForm(form, submitter);
  if (answer) showFormMessage(form, answer.notice ?? '');
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
function markOwn(): void {
  const own = viewer && `/authors/${viewer.username}`;
  const isArticleAuthor = viewer && document.getElementById('comments')?.dataset.author === viewer.username;
  for (const link of document.querySelectorAll<HTMLElement>('.manage')) {
    const isOwn = own && link.closest('.comment')?.querySelector(`.who[href="${own}"]`);
    link.hidden = !isArticleAuthor && !isOwn;
  }
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-act="follow"]')) {
    form.hidden = own !== null && form.getAttribute('action') === `/people/${viewer?.username}/follow`;
  }
}
