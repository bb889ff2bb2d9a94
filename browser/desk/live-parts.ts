/** Parts of a page that are asked for again when something happened: `data-live`, with an id. */
import { onNotification } from './event-stream.ts';

/** Many things may happen at once: they are one question. */
const GATHER_MS = 150;

export function followLiveParts(): void {
  const ids = [...document.querySelectorAll('[data-live][id]')].map(({ id }) => id);
  if (ids.length === 0) return;
  let planned = false;
  onNotification(() => {
    if (planned) return;
    planned = true;
    setTimeout(() => {
      planned = false;
      void refresh(ids);
    }, GATHER_MS);
  });
}

async function refresh(ids: readonly string[]): Promise<void> {
  const response = await fetch(location.href).catch(() => null);
  // Offline or signed out: what is shown stays until the page is loaded again.
  if (!response?.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const id of ids) {
    const [present, next] = [document.getElementById(id), page.getElementById(id)];
    // Nothing is taken away from under somebody's hands.
    if (present && next && !present.contains(document.activeElement)) present.replaceWith(document.adoptNode(next));
  }
}
