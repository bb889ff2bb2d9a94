/** Adds a copy button after each text that `data-copy` names. */

const SAID_MS = 4_000;

export function addCopyButtons(): void {
  if (!navigator.clipboard) return;
  for (const shown of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button compact';
    button.textContent = 'Copy';
    button.ariaLabel = `Copy ${shown.dataset.copy}`;
    const said = document.createElement('span');
    said.setAttribute('role', 'status');
    // A refresh of the page does not remove them.
    for (const own of [button, said]) own.dataset.keep = '';
    shown.after(button, said);
    button.addEventListener('click', () => void copy(shown.textContent ?? '', said));
  }
}

async function copy(text: string, said: HTMLElement): Promise<void> {
  said.textContent = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'The browser did not allow it: select the text instead.',
  );
  setTimeout(() => said.replaceChildren(), SAID_MS);
}
