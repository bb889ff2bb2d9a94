/**
 * Loads a preview while the author types. One request runs at a time; a response for an older text
 * is dropped.
 */
import { createElement } from '../create-element.ts';
import { postForm } from '../post.ts';
import type { Editor, EditorMark } from './editor.ts';
import { showWriteMessage, type WritePage } from './page.ts';

export interface PreviewResponse {
  /** Rendered by the server from sanitised parts. */
  html: string;
  marks: EditorMark[];
  /** A token for the article that a publish would change. The next publish sends it back. */
  seen: string | null;
  isPublishable: boolean;
  title: string | null;
  status: string | null;
  /** The title of the article that a publish would update. */
  updates: string | null;
  isDoubtful: boolean;
}

export interface Preview {
  /** Schedules a preview. Further calls replace the scheduled one. */
  refresh(): void;
}

const PREVIEW_DELAY_MS = 350;
const RETRY_DELAY_MS = 5_000;

export function startPreview(page: WritePage, editor: Editor): Preview {
  let version = 0;
  let isLoading = false;
  let timer: number | undefined;
  let isAway = false;
  /** A `performance.now()` time. The server rejects previews before it. */
  let refusedUntil = 0;

  const schedule = (afterMs: number) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void load(), Math.max(afterMs, refusedUntil - performance.now()));
  };
  const load = async () => {
    if (isLoading) return;
    const requested = version;
    const text = editor.getText();
    if (text.trim() === '') return editor.showMarks([]);
    isLoading = true;
    page.preview.setAttribute('aria-busy', 'true');
    const result = await postForm<PreviewResponse>('/desk/write/preview', buildForm(page, text));
    isLoading = false;
    page.preview.setAttribute('aria-busy', 'false');
    reportConnection(result.kind);
    const retryAfterMs = result.kind === 'refused' ? result.retryAfterMs : null;
    if (retryAfterMs !== null) refusedUntil = performance.now() + retryAfterMs;
    if (result.kind === 'away' || result.kind === 'signed out') return schedule(RETRY_DELAY_MS);
    if (requested !== version) return schedule(0);
    if (result.kind === 'answered') return show(result.answer);
    const { detail, errors } = result.problem;
    showWriteMessage(page.preview, 'warning', createElement('p', {}, errors[0]?.message ?? detail));
    if (retryAfterMs !== null) schedule(0);
  };
  const show = ({ html, marks, seen }: PreviewResponse) => {
    if (seen !== null) page.set('seen', seen);
    const scrolled = page.preview.scrollTop;
    page.preview.innerHTML = html;
    page.preview.scrollTop = scrolled;
    editor.showMarks(marks);
  };
  /** Reports only changes of the connection, because screen readers announce each report. */
  const reportConnection = (kind: string) => {
    if (kind === 'away' && !isAway) {
      showWriteMessage(page.statusArea, 'warning', createElement('p', {}, AWAY));
    } else if (kind === 'signed out' && !isAway) {
      showWriteMessage(page.statusArea, 'warning', describeSignedOut());
    } else if (isAway && kind !== 'away' && kind !== 'signed out') {
      page.statusArea.replaceChildren();
    }
    isAway = kind === 'away' || kind === 'signed out';
  };
  const refresh = () => {
    version += 1;
    schedule(PREVIEW_DELAY_MS);
  };

  editor.onChange(refresh);
  page.form.addEventListener('change', refresh);
  for (const area of [page.preview, page.statusArea]) followLinks(area, editor);
  if (editor.getText().trim() !== '') schedule(0);
  return { refresh };
}

const AWAY = 'The server does not respond. Continue writing: your text is saved in this browser.';

export function describeSignedOut(): HTMLElement {
  const link = createElement(
    'a',
    { href: '/login?next=/desk', target: '_blank', rel: 'noopener' },
    'Sign in again in another tab',
  );
  return createElement('p', {}, 'Your session has ended. ', link, ', then continue here: your text is saved.');
}

function buildForm({ form }: WritePage, text: string): FormData {
  const body = new FormData(form);
  body.set('content', text);
  return body;
}

/** Links with a line move the editor to it. Other links open in a new tab. */
function followLinks(area: HTMLElement, editor: Editor): void {
  area.addEventListener('click', (event) => {
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
