/** Publishes in the background. The page stays until the server has the text. */
import { createElement } from '../create-element.ts';
import { type Problem, postForm } from '../post.ts';
import type { Editor, EditorMark } from './editor.ts';
import type { LocalText } from './local-text.ts';
import { createKey, showWriteMessage, type WritePage } from './page.ts';
import { describeSignedOut, type Preview } from './preview.ts';

export interface PublishResponse {
  path: string;
  text: string;
  action: 'created' | 'updated';
}

export function followPublishing(
  page: WritePage,
  editor: Editor,
  { localText, preview }: { localText: LocalText; preview: Preview },
): void {
  const { form, statusArea, textarea } = page;
  const buttons = [...form.querySelectorAll<HTMLButtonElement>('button[name="intent"]')];
  const previewButton = document.getElementById('write-look');
  if (previewButton) previewButton.hidden = true;

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const submitter = event.submitter as HTMLButtonElement | null;
    // Enter in a field has no submitter and publishes nothing.
    if (!submitter || submitter.value === 'preview') return preview.refresh();
    void publish(submitter);
  });

  async function publish(submitter: HTMLButtonElement): Promise<void> {
    const text = editor.getText();
    textarea.value = text;
    const body = new FormData(form, submitter);
    for (const button of buttons) button.disabled = true;
    showWriteMessage(statusArea, 'done', createElement('p', {}, 'Sending…'));
    const result = await postForm<PublishResponse>(form.action, body);
    for (const button of buttons) button.disabled = false;
    if (result.kind === 'answered') {
      page.set('key', createKey());
      if (localText.markSaved(text)) return location.assign(result.answer.path);
      return showPublished(result.answer);
    }
    if (result.kind === 'refused') return showProblem(result.problem);
    if (result.kind === 'signed out') return showWriteMessage(statusArea, 'refused', describeSignedOut());
    showWriteMessage(statusArea, 'refused', createElement('p', {}, AWAY));
  }

  /** The author typed during the request. The next publish updates the same article. */
  function showPublished({ path, text }: PublishResponse): void {
    const link = createElement('a', { href: path, target: '_blank', rel: 'noopener' }, 'View');
    showWriteMessage(
      statusArea,
      'done',
      createElement('p', {}, text, ' Your later changes are not published yet. ', link),
    );
    page.set('article', path.slice(path.lastIndexOf('/') + 1));
    page.set('seen', '');
    preview.refresh();
  }

  function showProblem({ code, detail, errors }: Problem): void {
    showWriteMessage(statusArea, 'refused', createElement('p', {}, detail), ...listErrors(errors));
    editor.showMarks(errors.flatMap(toMark));
    if (page.confirmation) page.confirmation.hidden = code !== 'doubtful' && page.confirmation.hidden;
    if (!STALE_CODES.includes(code)) return;
    // The next preview sets the current version, so that the author can then publish.
    page.set('seen', '');
    page.set('key', createKey());
    preview.refresh();
  }
}

const AWAY =
  'The server did not respond, so it may not have received the article. Nothing is lost: the text is saved in this browser. Send it again; it is never published twice.';
const STALE_CODES = ['not_as_expected', 'idempotency_key_reused'];

function listErrors(errors: Problem['errors']): Node[] {
  const items = errors.map(({ message, line, column = 1 }) => {
    if (line === undefined) return createElement('li', {}, message);
    const link = createElement('a', { href: '#write-text' }, `Line ${line}`);
    Object.assign(link.dataset, { line: String(line), column: String(column) });
    return createElement('li', {}, link, `: ${message}`);
  });
  return items.length > 0 ? [createElement('ul', {}, ...items)] : [];
}

function toMark({ message, line, column = 1 }: Problem['errors'][number]): EditorMark[] {
  return line === undefined ? [] : [{ kind: 'error', line, column, message }];
}
