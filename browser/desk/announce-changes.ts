/** Announces changed delivery states to screen readers. */
import { showDeskMessage } from './show-desk-message.ts';

/** Above this number of changes, only the number is announced. */
const MAX_ANNOUNCED = 5;

export function announceChanges(main: HTMLElement, change: () => void): void {
  const previousStates = listStates(main);
  change();
  const changes = [...listStates(main)]
    .filter(([key, text]) => previousStates.get(key) !== text)
    .map(([, text]) => text);
  if (changes.length > MAX_ANNOUNCED) showDeskMessage(`${changes.length} deliveries changed.`, 'quiet');
  else if (changes.length > 0) showDeskMessage(changes.join('. '), 'quiet');
}

/** Texts such as "My article, DEV: delivered", by article and destination. */
function listStates(main: HTMLElement): Map<string, string> {
  const states = new Map<string, string>();
  for (const part of main.querySelectorAll<HTMLElement>('[data-title]')) {
    for (const state of part.querySelectorAll('td .state:not(.none), .deliveries .state')) {
      const label = findLabel(state);
      states.set(`${part.id} ${label}`, `${part.dataset.title}, ${label}: ${state.firstChild?.textContent}`);
    }
  }
  return states;
}

/** The column of a cell, or the heading of a card. */
function findLabel(state: Element): string {
  return state.closest('td')?.dataset.label ?? state.parentElement?.querySelector('h3')?.textContent ?? '';
}
