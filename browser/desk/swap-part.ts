/** Swaps a part of the page for what the server has of it now. Focus, what is open and what is selected stay; what changed is said. */
import { say } from './say.ts';

/** The text that a part was made of: what was opened or ticked since is no change of it. */
const kept = new WeakMap<Element, string>();

/** Answers whether anything is another one now. */
export function swapPart(part: HTMLElement, fresh: HTMLElement): boolean {
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

/** What a button or a link does names it: others of the same words do the same to something else. */
function nameOf(element: HTMLElement): string {
  if (element.id) return element.id;
  const { form = null } = element as Partial<HTMLButtonElement>;
  const does = ['formaction', 'href', 'value'].map((name) => element.getAttribute(name));
  return [element.tagName, form?.getAttribute('action'), ...does, element.textContent].join(' ');
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
