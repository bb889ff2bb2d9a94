/** A button on each block of code that copies it. */

const SAID_MS = 2_000;

export function addCopyButtons(): void {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll<HTMLElement>('.prose pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy-code';
    button.lang = 'en';
    button.textContent = 'Copy';
    // The text as it stands before anything is added to it.
    const text = block.textContent ?? '';
    const frame = document.createElement('div');
    frame.className = 'code-block';
    frame.dir = 'ltr';
    block.replaceWith(frame);
    frame.append(block, button);
    button.addEventListener('click', () => void copy(text, button));
  }
}

async function copy(text: string, button: HTMLElement): Promise<void> {
  const said = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Not allowed',
  );
  button.textContent = said;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SAID_MS);
}
