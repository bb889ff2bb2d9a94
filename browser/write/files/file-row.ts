/** Checks and publishes one file of the list. All attempts use the same idempotency key. */
import { createButton, createElement } from '../../create-element.ts';
import { type PostResult, postForm } from '../../post.ts';
import { createKey } from '../page.ts';
import type { PreviewResponse } from '../preview.ts';
import type { PublishResponse } from '../publish.ts';
import type { FoundFile } from './list-dropped.ts';
import { readFile } from './read-file.ts';

export interface FileRow {
  path: string;
  file: File;
  checkbox: HTMLInputElement;
  rowElement: HTMLTableRowElement;
  /** The preview's token for the article that the publish changes, or `new`. */
  seen: string;
  key: string;
  user: string;
  state: 'waiting' | 'checked' | 'published' | 'failed';
  showVerdict(tone: 'good' | 'warn' | 'bad' | 'info', word: string, ...more: (Node | string)[]): void;
}

export interface Progress {
  wait: (text: string) => void;
  isStopped: () => boolean;
}

export function createFileRow(
  { path, file }: FoundFile,
  { user, open }: { user: string; open: () => Promise<void> },
): FileRow {
  const checkbox = createElement('input', { type: 'checkbox', disabled: true, 'aria-label': `Publish ${path}` });
  const verdict = createElement('td', {}, createElement('span', { className: 'state' }, 'Waiting'));
  const name = createElement('th', { scope: 'row', dir: 'auto' }, path);
  const rowElement = createElement('tr', {}, createElement('td', {}, checkbox), name, verdict);
  return {
    ...{ path, file, checkbox, rowElement, seen: '', key: createKey(), user, state: 'waiting' },
    showVerdict(tone, word, ...details) {
      const edit = createButton('Open', () => void open());
      edit.setAttribute('aria-label', `Open ${path} in the editor`);
      verdict.replaceChildren(createElement('span', { className: `state ${tone}` }, word), ' ', ...details, ' ', edit);
    },
  };
}

const RETRY_DELAY_MS = 3_000;
const MAX_TRIES = 20;

export async function checkFile(row: FileRow, progress: Progress): Promise<void> {
  const body = await buildForm(row);
  if (typeof body === 'string') return row.showVerdict('bad', 'Not text', body);
  const result = await sendFile<PreviewResponse>('/desk/write/preview', body, { ...progress, retryDelayMs: null });
  if (result.kind !== 'answered') {
    row.checkbox.disabled = result.kind === 'refused';
    return row.showVerdict('warn', 'Not checked', describeFailure(result));
  }
  const { isPublishable, isDoubtful, marks, seen, status, updates } = result.answer;
  row.state = 'checked';
  row.checkbox.disabled = !isPublishable;
  // Doubtful files are not preselected, because they may not be meant for the public.
  row.checkbox.checked = isPublishable && !isDoubtful;
  row.seen = seen ?? '';
  const [first] = marks.filter(({ kind }) => kind === (isPublishable ? 'warning' : 'error'));
  const firstMessage = first ? `Line ${first.line}: ${first.message}` : '';
  if (!isPublishable) return row.showVerdict('bad', 'Needs fixes', firstMessage || firstSentence(result.answer.html));
  const effect = updates === null ? 'New article.' : `Updates “${updates}”.`;
  const state = status === 'DRAFT' ? ' A draft: only you can see it.' : status === 'SCHEDULED' ? ' Scheduled.' : '';
  row.showVerdict(
    isDoubtful || first ? 'warn' : 'good',
    isDoubtful ? 'May not be public' : 'Ready',
    `${effect}${state} ${firstMessage}`,
  );
}

export async function publishFile(row: FileRow, progress: Progress): Promise<void> {
  const body = await buildForm(row);
  if (typeof body === 'string') return fail(row, body);
  const result = await sendFile<PublishResponse>('/desk/write', body, { ...progress, retryDelayMs: RETRY_DELAY_MS });
  if (result.kind !== 'answered') return fail(row, describeFailure(result));
  row.state = 'published';
  row.checkbox.disabled = true;
  row.checkbox.checked = false;
  const link = createElement('a', { href: result.answer.path, target: '_blank', rel: 'noopener' }, 'View');
  row.showVerdict('good', result.answer.action === 'created' ? 'Created' : 'Updated', link);
}

type UnansweredResult = Exclude<PostResult<never>, { kind: 'answered' }>;

/**
 * Sends a form. Repeats it after the time in Retry-After, and after `retryDelayMs` if there was no
 * response (null: not then).
 */
async function sendFile<Answer>(
  path: string,
  body: FormData,
  { wait, isStopped, retryDelayMs }: Progress & { retryDelayMs: number | null },
): Promise<PostResult<Answer>> {
  for (let tries = 1; ; tries += 1) {
    const result = await postForm<Answer>(path, body);
    if (result.kind === 'answered' || result.kind === 'signed out') return result;
    const delayMs = result.kind === 'refused' ? result.retryAfterMs : retryDelayMs;
    if (delayMs === null || tries === MAX_TRIES) return result;
    wait(`Waiting ${Math.ceil(delayMs / 1000)} s: ${describeFailure(result)}`);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (isStopped()) return result;
  }
}

/**
 * Sends the file unchanged; its frontmatter decides how it is published. Returns a string with the
 * reason if the file cannot be sent.
 */
async function buildForm({ path, file, key, user, seen, checkbox }: FileRow): Promise<FormData | string> {
  const read = await readFile(file);
  if ('problem' in read) return read.problem;
  const body = new FormData();
  body.set('content', new Blob([read.text], { type: 'text/markdown' }), path.slice(-255));
  body.set('intent', 'document');
  body.set('key', key);
  body.set('user', user);
  body.set('seen', seen);
  // The author selected the file after its check, which confirms a doubtful one.
  if (checkbox.checked && seen !== '') body.set('sure', 'yes');
  return body;
}

function fail(row: FileRow, reason: string): void {
  row.state = 'failed';
  row.showVerdict('bad', 'Failed', reason);
}

function describeFailure(result: UnansweredResult): string {
  if (result.kind === 'refused') {
    const { detail, errors } = result.problem;
    return [...new Set([detail, errors[0]?.message])].join(' ').trim();
  }
  return result.kind === 'away'
    ? 'The server does not respond and may not have received the file. Try again; it is never published twice.'
    : 'Your session has ended. Sign in again in another tab, then publish again.';
}

function firstSentence(html: string): string {
  const item = new DOMParser().parseFromString(html, 'text/html').querySelector('li');
  return item?.textContent?.trim() ?? '';
}
