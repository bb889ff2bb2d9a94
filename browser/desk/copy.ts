/** Adds a copy button after each element with `data-copy`. */

const MESSAGE_MS = 4_000;

export function addCopyButtons(): void {
  if (!navigator.clipboard) return;
  for (const source of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button compact';
    button.textContent = 'Copy';
    button.ariaLabel = `Copy ${source.dataset.copy}`;
    const status = document.createElement('span');
    status.setAttribute('role', 'status');
    // `data-keep` excludes them from a refresh of the page.
    for (const element of [button, status]) element.dataset.keep = '';
    source.after(button, status);
    button.addEventListener('click', () => void copy(source.textContent ?? '', status));
  }
}

async function copy(text: string, status: HTMLElement): Promise<void> {
  status.textContent = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'The browser blocked copying. Select the text instead.',
  );
  setTimeout(() => status.replaceChildren(), MESSAGE_MS);
}
