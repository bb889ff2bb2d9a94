/**
 * Stores unsent comments in this tab, so that a reload, a lost connection or a login does not lose
 * them.
 */

const SENT = 'comment-sent';

/** Returns null if the browser forbids storage. */
function openStorage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

const storage = openStorage();

export function storeDrafts(): void {
  if (!storage) return;
  const sent = storage.getItem(SENT);
  storage.removeItem(SENT);
  // The form was sent with a page load, which opened the new comment.
  if (sent && location.hash.startsWith('#comment-')) storage.removeItem(sent);
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof HTMLTextAreaElement ? target.form : null;
    if (form?.dataset.act === 'comment') storage.setItem(nameDraft(form), getText(form).value);
  });
  restoreDrafts();
}

export function restoreDrafts(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-act="comment"]')) {
    const draft = storage?.getItem(nameDraft(form));
    if (!draft) continue;
    getText(form).value = draft;
    const details = form.closest('details');
    if (details) details.open = true;
  }
}

export function removeDraft(form: HTMLFormElement): void {
  storage?.removeItem(nameDraft(form));
}

/** Marks the draft as sent by a form that loads a page. */
export function markSent(form: HTMLFormElement): void {
  storage?.setItem(SENT, nameDraft(form));
}

function getText(form: HTMLFormElement): HTMLTextAreaElement {
  return form.elements.namedItem('body') as HTMLTextAreaElement;
}

function nameDraft(form: HTMLFormElement): string {
  const parent = form.elements.namedItem('parentId') as HTMLInputElement | null;
  return `comment:${form.action}:${parent?.value ?? ''}`;
}
