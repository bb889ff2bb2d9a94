/** What somebody is writing is kept in this tab until it is stored: a reload, a lost connection and signing in lose nothing. */

const SENT = 'comment-sent';

/** Null where the browser keeps nothing for this site. */
function open(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

const storage = open();

export function keepDrafts(): void {
  if (!storage) return;
  const sent = storage.getItem(SENT);
  storage.removeItem(SENT);
  // It was sent by leaving the page, and that led to where it is shown.
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
    const folded = form.closest('details');
    if (folded) folded.open = true;
  }
}

export function forgetDraft(form: HTMLFormElement): void {
  storage?.removeItem(nameDraft(form));
}

/** The page is left with it. */
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
