/** What becomes of the text, asked for as its author types: one question at a time, and an answer to a text that has changed meanwhile is dropped. */

import { post } from '../post.ts';
import type { Editor, Mark } from './editor.ts';
import { element, say } from './elements.ts';
import type { WritePage } from './page.ts';

export interface PreviewAnswer {
  /** Made by the server, of sanitised parts. */
  html: string;
  marks: Mark[];
  /** What the next publish may say that its author was told. */
  seen: string | null;
  isPublishable: boolean;
  title: string | null;
  status: string | null;
  /** The title of the article that would be changed. */
  updates: string | null;
  isDoubtful: boolean;
}

export interface Preview {
  /** Soon; of many calls the last one counts. */
  refresh(): void;
}

const PAUSE_MS = 350;
const RETRY_MS = 5_000;

export function followPreview(page: WritePage, editor: Editor): Preview {
  let version = 0;
  let isAsking = false;
  let timer: number | undefined;
  let isAway = false;
  /** As in `performance.now()`. The server refuses previews before this time. */
  let refusedUntil = 0;

  const plan = (afterMs: number) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void ask(), Math.max(afterMs, refusedUntil - performance.now()));
  };
  const ask = async () => {
    if (isAsking) return;
    const asked = version;
    const text = editor.getText();
    if (text.trim() === '') return editor.showMarks([]);
    isAsking = true;
    page.preview.setAttribute('aria-busy', 'true');
    const sent = await post<PreviewAnswer>('/desk/write/preview', buildForm(page, text));
    isAsking = false;
    page.preview.setAttribute('aria-busy', 'false');
    tell(sent.kind);
    const retryAfterMs = sent.kind === 'refused' ? sent.retryAfterMs : null;
    if (retryAfterMs !== null) refusedUntil = performance.now() + retryAfterMs;
    if (sent.kind === 'away' || sent.kind === 'signed out') return plan(RETRY_MS);
    if (asked !== version) return plan(0);
    if (sent.kind === 'answered') return show(sent.answer);
    const { detail, errors } = sent.problem;
    say(page.preview, 'warning', element('p', {}, errors[0]?.message ?? detail));
    if (retryAfterMs !== null) plan(0);
  };
  const show = ({ html, marks, seen }: PreviewAnswer) => {
    if (seen !== null) page.set('seen', seen);
    const scrolled = page.preview.scrollTop;
    page.preview.innerHTML = html;
    page.preview.scrollTop = scrolled;
    editor.showMarks(marks);
  };
  /** Once each time it changes: somebody may be listening to it. */
  const tell = (kind: string) => {
    if (kind === 'away' && !isAway) {
      say(page.says, 'warning', element('p', {}, AWAY));
    } else if (kind === 'signed out' && !isAway) {
      say(page.says, 'warning', describeSignedOut());
    } else if (isAway && kind !== 'away' && kind !== 'signed out') {
      say(page.says, 'none');
    }
    isAway = kind === 'away' || kind === 'signed out';
  };
  const refresh = () => {
    version += 1;
    plan(PAUSE_MS);
  };

  editor.onChange(refresh);
  page.form.addEventListener('change', refresh);
  for (const place of [page.preview, page.says]) followLinks(place, editor);
  if (editor.getText().trim() !== '') plan(0);
  return { refresh };
}

const AWAY = 'The server does not answer. Go on writing: the text is kept in this browser.';

export function describeSignedOut(): HTMLElement {
  const link = element(
    'a',
    { href: '/login?next=/desk', target: '_blank', rel: 'noopener' },
    'Sign in again in another tab',
  );
  return element('p', {}, 'Your session has ended. ', link, ', and go on here: the text stays.');
}

function buildForm({ form }: WritePage, text: string): FormData {
  const body = new FormData(form);
  body.set('content', text);
  return body;
}

/** A place leads to its line in the editor. What the text itself links to opens beside this page. */
function followLinks(place: HTMLElement, editor: Editor): void {
  place.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    const { line, column } = link.dataset;
    if (line !== undefined) {
      event.preventDefault();
      editor.goTo({ line: Number(line), column: Number(column ?? 1) });
    } else if (!link.getAttribute('href')?.startsWith('#')) {
      link.target = '_blank';
      link.rel = 'noopener';
    }
  });
}
