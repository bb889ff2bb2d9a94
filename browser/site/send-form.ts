/** Sends a form of a page that everybody reads, and says below it why it was not done. */
import { post } from '../post.ts';
import { make } from './make.ts';

export interface Answer {
  /** Where it is seen. */
  path: string;
  /** What is said of it; null where it speaks for itself. */
  notice: string | null;
}

/**
 * Null where it was not done: the form then says why, and keeps what was typed. Where nobody is signed in any more, the browser sends it after all, and
 * the page that comes asks to sign in.
 */
export async function sendForm(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  { more = {}, onLeave }: { more?: Record<string, string>; onLeave?: () => void } = {},
): Promise<Answer | null> {
  const body = new URLSearchParams(
    [...new FormData(form, submitter), ...Object.entries(more)].map(([name, value]) => [name, String(value)]),
  );
  const buttons = form.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  const sent = await post<Answer>(form.action, body);
  for (const button of buttons) button.disabled = false;
  switch (sent.kind) {
    case 'answered':
      return sent.answer;
    case 'refused':
      say(form, sent.problem.detail, 'refused');
      return null;
    case 'signed out':
      onLeave?.();
      leave(form.action, body);
      return null;
    case 'away':
      say(form, AWAY, 'refused');
      return null;
  }
}

const AWAY = 'The site cannot be reached. Nothing is lost: try again in a moment.';

/** Below the form, and to who listens. */
export function say(form: Element, text: string, kind: 'done' | 'refused' = 'done'): void {
  const place = form.querySelector('.said') ?? form.appendChild(make('p', {}));
  place.className = `said ${kind}`;
  place.setAttribute('role', 'status');
  // Only what changes in a place that is there is read out.
  setTimeout(() => {
    place.textContent = text;
  });
}

function leave(action: string, fields: URLSearchParams): void {
  const copy = make('form', { method: 'post', action });
  for (const [name, value] of fields) copy.append(make('input', { type: 'hidden', name, value }));
  document.body.append(copy);
  copy.submit();
}
