/** Sends a form of a public page in the background. Shows a refusal below the form. */
import { createElement } from '../create-element.ts';
import { postForm } from '../post.ts';

export interface FormResponse {
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
  if (result.kind === 'answered') return result.answer;
  if (result.kind === 'signed out') {
    onLeave?.();
    submitAsPage(form.action, body);
  } else showFormMessage(form, result.kind === 'refused' ? result.problem.detail : UNREACHABLE, 'refused');
  return null;
}

const UNREACHABLE = 'The site cannot be reached. Nothing is lost. Try again in a moment.';

/** Shows the text below the form and announces it to screen readers. */
export function showFormMessage(form: Element, text: string, kind: 'done' | 'refused' = 'done'): void {
  const status = form.querySelector('.said') ?? form.appendChild(createElement('p', { role: 'status' }));
  status.className = `said ${kind}`;
  // Screen readers announce only a change of an element that is already in the page.
  setTimeout(() => {
    status.textContent = text;
  });
}

function submitAsPage(action: string, fields: URLSearchParams): void {
  const inputs = [...fields].map(([name, value]) => createElement('input', { type: 'hidden', name, value }));
  const copy = createElement('form', { method: 'post', action }, ...inputs);
  document.body.append(copy);
  copy.submit();
}
