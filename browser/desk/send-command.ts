/** Sends the form of a command in the background and shows the message in the JSON response. */
import { postForm } from '../post.ts';
import { focusWithin, refreshPage } from './refresh-page.ts';
import { showDeskMessage } from './show-desk-message.ts';

export interface CommandMessage {
  kind: 'done' | 'refused' | 'warning';
  text: string;
}

export function sendCommandsInPlace(): void {
  document.addEventListener('submit', (event) => void sendCommand(event));
}

async function sendCommand(event: SubmitEvent): Promise<void> {
  const { target: form, submitter: button } = event;
  if (!(form instanceof HTMLFormElement) || !(button instanceof HTMLButtonElement)) return;
  const part = button.closest('[data-live] [id]');
  if (!part || (form.id !== 'command' && form.dataset.command === undefined)) return;
  event.preventDefault();
  const address = button.getAttribute('formaction') ?? form.action;
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  button.disabled = true;
  const result = await postCommand(address, body, 'Check the row, then try again.');
  button.disabled = false;
  if (result === null) return location.reload();
  showDeskMessage(result.text, result.kind);
  // The typed values are sent, so a refresh may replace them.
  if (result.kind !== 'refused') form.reset();
  await refreshPage();
  if (document.activeElement === document.body) focusWithin(part.id);
}

/** Returns null if the author is signed out. `next`: the advice shown without a response. */
export async function postCommand(
  address: string,
  body: URLSearchParams,
  next: string,
): Promise<CommandMessage | null> {
  const response = await postForm<CommandMessage>(address, body);
  switch (response.kind) {
    case 'answered':
      return response.answer;
    case 'refused':
      return { kind: 'refused', text: response.problem.detail };
    case 'signed out':
      return null;
    case 'away':
      return { kind: 'refused', text: `The server did not respond, so the change may not have been saved. ${next}` };
  }
}
