/** Adds a copy button after each text that `data-copy` names. */

const MESSAGE_MS = 4_000;

export function addCopyButtons(): void {
  if (!navigator.clipboard) return;
  for (const shown of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button compact';
    button.textContent = 'Copy';
    button.ariaLabel = `Copy ${shown.dataset.copy}`;
    const status = document.createElement('span');
    status.setAttribute('role', 'status');
    // `data-keep` excludes them from a refresh of the page.
    for (const added of [button, status]) added.dataset.keep = '';
    shown.after(button, status);
    button.addEventListener('click', () => void copy(shown.textContent ?? '', status));
  }
}

async function copy(text: string, status: HTMLElement): Promise<void> {
  status.textContent = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'The browser blocked copying. Select the text instead.',
  );
  setTimeout(() => status.replaceChildren(), MESSAGE_MS);
}
