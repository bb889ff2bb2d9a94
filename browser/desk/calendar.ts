/**
 * Lets authors reschedule an article by dragging it to another day of the calendar. Sends the same
 * command as the form on the article page, which serves keyboard users.
 */
import { DRAGGED, refreshPage } from './refresh-page.ts';
import { postCommand } from './send-command.ts';
import { showDeskMessage } from './show-desk-message.ts';

const OVER_CLASS = 'is-over';

export function moveByDragging(): void {
  if (!document.querySelector('table.calendar')) return;
  let dragged: HTMLElement | null = null;
  // Listens on the document, because a refresh can replace the days of the calendar.
  document.addEventListener('dragstart', ({ target, dataTransfer }) => {
    dragged = (target as Element).closest<HTMLElement>('.calendar li[data-path]');
    if (!dragged || !dataTransfer) return;
    dataTransfer.effectAllowed = 'move';
    dragged.classList.add(DRAGGED);
  });
  document.addEventListener('dragover', (event) => {
    const day = findDay(event.target, dragged);
    for (const other of document.querySelectorAll(`.${OVER_CLASS}`))
      if (other !== day) other.classList.remove(OVER_CLASS);
    if (!day) return;
    event.preventDefault();
    day.classList.add(OVER_CLASS);
  });
  document.addEventListener('drop', (event) => {
    const day = findDay(event.target, dragged);
    if (!day || !dragged) return;
    event.preventDefault();
    void move(dragged, day);
  });
  document.addEventListener('dragend', ({ dataTransfer }) => {
    for (const element of document.querySelectorAll(`.${DRAGGED}, .${OVER_CLASS}`))
      element.classList.remove(DRAGGED, OVER_CLASS);
    dragged = null;
    // A drop refreshes the page after the article is moved.
    if (dataTransfer?.dropEffect === 'none') void refreshPage();
  });
}

/**
 * Returns the day below the pointer. Null for the day of the dragged article and for past days,
 * which have no `data-date`.
 */
function findDay(target: EventTarget | null, dragged: HTMLElement | null): HTMLElement | null {
  const day = (target as Element | null)?.closest<HTMLElement>('.calendar td[data-date]') ?? null;
  return dragged && !day?.contains(dragged) ? day : null;
}

async function move({ dataset }: HTMLElement, { dataset: { date } }: HTMLElement): Promise<void> {
  const { path = '', time, zone = '', name } = dataset;
  const body = new URLSearchParams({ at: `${date}T${time}`, zone });
  const result = await postCommand(path, body, 'Reload the page to see its current date.');
  if (result === null) return location.reload();
  showDeskMessage(result.kind === 'done' ? `${name}: moved to ${date}, ${time}.` : result.text, result.kind);
  await refreshPage();
}
