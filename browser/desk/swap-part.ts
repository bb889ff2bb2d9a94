/** Swaps a part of the page for what the server has of it now. Focus, what is open and what is selected stay; what changed is said. */
import { say } from './say.ts';
import { showOwnTimes } from './times.ts';

/** The text that a part was made of: what was opened or ticked since is no change of it. */
const kept = new WeakMap<Element, string>();

/** Answers whether anything is another one now. */
export function swapPart(part: HTMLElement, fresh: HTMLElement): boolean {
  showOwnTimes(fresh);
  const text = fresh.outerHTML;
  if ((kept.get(part) ?? part.outerHTML) === text || isTypedIn(part) || isHeld(part)) return false;
  const focused = part.contains(document.activeElement) ? nameOf(document.activeElement as HTMLElement) : null;
  for (const [index, details] of part.querySelectorAll('details').entries()) {
    const same = fresh.querySelectorAll('details')[index];
    if (details.open && same?.className === details.className) same.open = true;
  }
  for (const box of part.querySelectorAll<HTMLInputElement>('input[type="checkbox"]:checked')) {
    const same = fresh.querySelector<HTMLInputElement>(`input[value="${box.value}"]`);
    if (same) same.checked = true;
  }
  keepTyped(part, fresh);
  const changes = describeChanges(part, fresh);
  part.replaceWith(fresh);
  kept.set(fresh, text);
  if (focused !== null) focusAgain(fresh, focused);
  if (changes !== null) say(changes, 'quiet');
  return true;
}

/** The class of what is dragged. */
export const DRAGGED = 'is-dragged';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const FIELDS = 'input:not([type="checkbox"], [type="hidden"]), textarea, select';

/** Nobody's words are taken away under their hands. */
function isTypedIn(part: HTMLElement): boolean {
  const active = document.activeElement;
  return active?.matches(FIELDS) === true && part.contains(active);
}

/** Nor what is dragged: whoever lets it go asks for the part again. */
function isHeld(part: HTMLElement): boolean {
  return part.querySelector(`.${DRAGGED}`) !== null;
}

/** Nor where the hands are on the button already. */
function keepTyped(part: HTMLElement, fresh: HTMLElement): void {
  const findForm = ({ form }: Field) => form?.getAttribute('action');
  const others = [...fresh.querySelectorAll<Field>(FIELDS)];
  for (const field of part.querySelectorAll<Field>(FIELDS)) {
    if (!isChanged(field)) continue;
    const same = others.find((other) => other.name === field.name && findForm(other) === findForm(field));
    if (same) same.value = field.value;
  }
}

function isChanged(field: Field): boolean {
  if (!(field instanceof HTMLSelectElement)) return field.value !== field.defaultValue;
  return field.selectedOptions[0]?.defaultSelected === false && field.selectedIndex > 0;
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
