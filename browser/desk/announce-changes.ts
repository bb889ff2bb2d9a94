/** Announces changed delivery states to screen readers. */
import { say } from './say.ts';

/** More than these are announced by their number. */
const MAX_ANNOUNCED = 5;

export function announceChanges(main: HTMLElement, change: () => void): void {
  const before = listStates(main);
  change();
  const changes = [...listStates(main)].filter(([key, text]) => before.get(key) !== text).map(([, text]) => text);
  if (changes.length > MAX_ANNOUNCED) say(`${changes.length} deliveries have changed.`, 'quiet');
  else if (changes.length > 0) say(changes.join('. '), 'quiet');
}

/** By article and place, as "My article, DEV / Forem: delivered". */
function listStates(main: HTMLElement): Map<string, string> {
  const states = new Map<string, string>();
  for (const part of main.querySelectorAll<HTMLElement>('[data-title]')) {
    for (const state of part.querySelectorAll('td .state:not(.none), .deliveries .state')) {
      const place = namePlace(state);
      states.set(`${part.id} ${place}`, `${part.dataset.title}, ${place}: ${state.firstChild?.textContent}`);
    }
  }
  return states;
}

/** The column of a cell, or the heading of a card. */
function namePlace(state: Element): string {
  return state.closest('td')?.dataset.label ?? state.parentElement?.querySelector('h3')?.textContent ?? '';
}
