/** Swaps a part of the page for what the server has of it now. Focus, what is open and what is selected stay. */
import { say } from './say.ts';

const asked = new Set<string>();

/** `part` is a row of the grid, or what is marked as `data-follow`. Answers whether it changed. */
export async function refreshPart(part: HTMLElement): Promise<boolean> {
  if (asked.has(part.id)) return false;
  asked.add(part.id);
  try {
    const response = await fetch(addressOf(part), { headers: { accept: 'text/html' } });
    if (response.status === 404) {
      // Deleted meanwhile.
      part.remove();
      return true;
    }
    // A page of another kind: its reader is signed out, or the server is away. It is asked again later.
    if (!response.ok || response.redirected) return false;
    const fresh = parse(await response.text(), part.id);
    return fresh !== null && part.isConnected && swap(part, fresh);
  } catch {
    // Offline: it is asked again later.
    return false;
  } finally {
    asked.delete(part.id);
  }
}

function addressOf({ dataset }: HTMLElement): string {
  if (dataset.row === undefined) return location.href.replace(/#.*/, '');
  const { columns = '', brief } = document.querySelector<HTMLElement>('[data-columns]')?.dataset ?? {};
  return `/desk/articles/${dataset.row}/row?columns=${columns}${brief === undefined ? '' : '&brief'}`;
}

/** A row alone would be lost outside of a table, but not in a template. */
function parse(text: string, id: string): HTMLElement | null {
  const template = document.createElement('template');
  template.innerHTML = text;
  return template.content.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
}

const kept = new WeakMap<Element, string>();

function swap(part: HTMLElement, fresh: HTMLElement): boolean {
  const text = fresh.outerHTML;
  if ((kept.get(part) ?? part.outerHTML) === text || isTypedIn(part)) return false;
  const focused = part.contains(document.activeElement) ? nameOf(document.activeElement as HTMLElement) : null;
  for (const [index, details] of part.querySelectorAll('details').entries()) {
    const same = fresh.querySelectorAll('details')[index];
    if (details.open && same?.className === details.className) same.open = true;
  }
  for (const box of part.querySelectorAll<HTMLInputElement>('input[type="checkbox"]:checked')) {
    const same = fresh.querySelector<HTMLInputElement>(`input[value="${box.value}"]`);
    if (same) same.checked = true;
  }
  const changes = describeChanges(part, fresh);
  part.replaceWith(fresh);
  kept.set(fresh, text);
  if (focused !== null) focusAgain(fresh, focused);
  if (changes !== null) say(changes, 'quiet');
  return true;
}

/** Nobody's words are taken away under their hands. */
function isTypedIn(part: HTMLElement): boolean {
  const active = document.activeElement;
  return active instanceof HTMLInputElement && active.type !== 'checkbox' && part.contains(active);
}

function nameOf(element: HTMLElement): string {
  const { id, tagName } = element;
  return (
    id || `${tagName} ${element.getAttribute('formaction') ?? element.getAttribute('href') ?? element.textContent}`
  );
}

/** A button that is gone has done its work: the focus goes to the heading of its part. */
function focusAgain(fresh: HTMLElement, name: string): void {
  const places = [...fresh.querySelectorAll<HTMLElement>('a, button, summary, input')];
  (places.find((place) => nameOf(place) === name) ?? fresh.querySelector<HTMLElement>('th a, a, button'))?.focus();
}

/** As "My article, DEV / Forem: delivered": every state of one article that is another one now. */
function describeChanges(part: HTMLElement, fresh: HTMLElement): string | null {
  const { title } = part.dataset;
  const before = listStates(part);
  const changed = [...listStates(fresh)].filter(([place, word]) => before.get(place) !== word);
  if (title === undefined || changed.length === 0) return null;
  return [title, ...changed.map(([place, word]) => `${place}: ${word}`)].join(', ');
}

function listStates(part: HTMLElement): Map<string, string> {
  const states = [...part.querySelectorAll('td .state, .deliveries .state')];
  return new Map(states.map((state) => [nameOfPlace(state), state.firstChild?.textContent ?? '']));
}

/** The column of a cell, the heading of a card. */
function nameOfPlace(state: Element): string {
  const cell = state.closest('td');
  if (!cell) return state.parentElement?.querySelector('h3')?.textContent ?? '';
  return document.querySelector<HTMLTableElement>('.grid')?.tHead?.rows[0]?.cells[cell.cellIndex]?.textContent ?? '';
}
