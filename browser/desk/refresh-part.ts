/** Asks the server for a part of the page as it is now, and swaps it. */
import { swapPart } from './swap-part.ts';

let count = 0;
/** By the id of a part, which question its present text answers: an earlier one that is answered later shows nothing. */
const answered = new Map<string, number>();

/** `part` is a row of the grid, or has an id on this page. Answers whether it changed. */
export async function refreshPart(part: HTMLElement): Promise<boolean> {
  const { row } = part.dataset;
  const question = ++count;
  const text = await ask(row === undefined ? location.href.replace(/#.*/, '') : buildRowPath(`articles/${row}`));
  if (text === 'gone') part.remove();
  return text === 'gone' || (text !== null && show(parse(text, `#${CSS.escape(part.id)}`), question));
}

/** The row of the article that a notification is about. False where no such row is on the page. */
export async function refreshRowOf(notificationId: string): Promise<boolean> {
  const question = ++count;
  const text = await ask(buildRowPath(`notifications/${notificationId}`));
  const fresh = text === null || text === 'gone' ? null : parse(text, '[data-row]');
  if (!fresh || !document.getElementById(fresh.id)) return false;
  show(fresh, question);
  return true;
}

function buildRowPath(place: string): string {
  const { columns = '', brief } = document.querySelector<HTMLElement>('[data-columns]')?.dataset ?? {};
  return `/desk/${place}/row?columns=${columns}${brief === undefined ? '' : '&brief'}`;
}

/** Null where nothing is known: offline, or a page of another kind, since its reader is signed out or the server away. It is asked again later. */
async function ask(address: string): Promise<string | 'gone' | null> {
  try {
    const response = await fetch(address, { headers: { accept: 'text/html' } });
    if (response.status === 404) return 'gone';
    return response.ok && !response.redirected ? await response.text() : null;
  } catch {
    return null;
  }
}

/** A row alone would be lost outside of a table, but not in a template. */
function parse(text: string, selector: string): HTMLElement | null {
  const template = document.createElement('template');
  template.innerHTML = text;
  return template.content.querySelector<HTMLElement>(selector);
}

function show(fresh: HTMLElement | null, question: number): boolean {
  const part = fresh && document.getElementById(fresh.id);
  if (!part || question < (answered.get(part.id) ?? 0)) return false;
  answered.set(part.id, question);
  return swapPart(part, fresh);
}
