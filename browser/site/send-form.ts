/** Sends a form of a public page in the background. Shows a refusal below the form. */
import { postForm } from '../post.ts';
import { createSiteElement } from './create-site-element.ts';

export interface FormResponse {
  /** The address of the result. */
  path: string;
  /** The message to show; null if the page shows the result itself. */
  notice: string | null;
}

/**
 * Returns null if the server refused the form; the form then shows the reason and keeps its input.
 * If the session has ended, submits the form as a page, so that the server shows the sign-in
 * page.
 */
export async function sendForm(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  { more = {}, onLeave }: { more?: Record<string, string>; onLeave?: () => void } = {},
): Promise<FormResponse | null> {
  const body = new URLSearchParams(
    [...new FormData(form, submitter), ...Object.entries(more)].map(([name, value]) => [name, String(value)]),
  );
  const buttons = form.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  const result = await postForm<FormResponse>(form.action, body);
  for (const button of buttons) button.disabled = false;
  switch (result.kind) {
    case 'answered':
      return result.answer;
    case 'refused':
      showFormMessage(form, result.problem.detail, 'refused');
      return null;
    case 'signed out':
      onLeave?.();
      submitAsPage(form.action, body);
      return null;
    case 'away':
      showFormMessage(form, UNREACHABLE, 'refused');
      return null;
  }
}

const UNREACHABLE = 'The site cannot be reached. Nothing is lost. Try again in a moment.';

/** Shows the text below the form and announces it to screen readers. */
export function showFormMessage(form: Element, text: string, kind: 'done' | 'refused' = 'done'): void {
  const status = form.querySelector('.said') ?? form.appendChild(createSiteElement('p', {}));
  status.className = `said ${kind}`;
  status.setAttribute('role', 'status');
  // Screen readers announce only a change of an element that is already in the page.
  setTimeout(() => {
    status.textContent = text;
  });
}

function submitAsPage(action: string, fields: URLSearchParams): void {
  const copy = createSiteElement('form', { method: 'post', action });
  for (const [name, value] of fields) copy.append(createSiteElement('input', { type: 'hidden', name, value }));
  document.body.append(copy);
  copy.submit();
}
