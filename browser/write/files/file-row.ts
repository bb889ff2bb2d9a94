/** One file of the list: checked, and published with a key of its own, which is the same for every try. */

import { post } from '../../post.ts';
import { element } from '../elements.ts';
import type { PreviewAnswer } from '../preview.ts';
import type { PublishedAnswer } from '../publish.ts';
import { readFile } from './read-file.ts';

export interface FileRow {
  path: string;
  file: File;
  box: HTMLInputElement;
  line: HTMLTableRowElement;
  /** What the verdict said that a publish changes. */
  seen: string;
  key: string;
  /** Who chose it. */
  user: string;
  state: 'waiting' | 'checked' | 'published' | 'failed';
  tell(tone: 'good' | 'warn' | 'bad' | 'info', word: string, ...more: (Node | string)[]): void;
}

export interface Progress {
  wait: (text: string) => void;
  isStopped: () => boolean;
}

const PAUSE_MS = 3_000;
const MOST_TRIES = 20;

/** Retries after the time in Retry-After. */
export async function checkFile(row: FileRow, { wait, isStopped }: Progress): Promise<void> {
  const body = await buildForm(row);
  if (typeof body === 'string') return row.tell('bad', 'Not a text', body);
  const check = () => post<PreviewAnswer>('/desk/write/preview', body);
  let sent = await check();
  for (let tries = 1; sent.kind === 'refused' && sent.retryAfterMs !== null && tries < MOST_TRIES; tries += 1) {
    wait(`Waiting ${Math.ceil(sent.retryAfterMs / 1000)} s: ${sent.problem.detail}`);
    await pauseFor(sent.retryAfterMs);
    if (isStopped()) break;
    sent = await check();
  }
  if (sent.kind !== 'answered') {
    const reason = sent.kind === 'refused' ? sent.problem.detail : describeFailure(sent.kind);
    row.box.disabled = sent.kind === 'refused';
    return row.tell('warn', 'Not checked', reason);
  }
  const { isPublishable, isDoubtful, marks, seen, status, updates } = sent.answer;
  row.state = 'checked';
  row.box.disabled = !isPublishable;
  // What may not be meant for the public is chosen by a person.
  row.box.checked = isPublishable && !isDoubtful;
  row.seen = seen ?? '';
  const [first] = marks.filter(({ kind }) => kind === (isPublishable ? 'warning' : 'error'));
  const about = first ? `Line ${first.line}: ${first.message}` : '';
  if (!isPublishable) return row.tell('bad', 'To be mended', about || firstSentence(sent.answer.html));
  const does = updates === null ? 'A new article.' : `Changes “${updates}”.`;
  const state = status === 'DRAFT' ? ' A draft, which nobody else sees.' : status === 'SCHEDULED' ? ' Scheduled.' : '';
  row.tell(isDoubtful || first ? 'warn' : 'good', isDoubtful ? 'In doubt' : 'Ready', `${does}${state} ${about}`);
}

/** Waits where the server asks for it. Whatever ends it, the row says what is known. */
export async function publishFile(row: FileRow, { wait, isStopped }: Progress): Promise<void> {
  for (let tries = 1; !isStopped(); tries += 1) {
    const body = await buildForm(row);
    if (typeof body === 'string') return fail(row, body);
    const sent = await post<PublishedAnswer>('/desk/write', body);
    if (sent.kind === 'answered') {
      row.state = 'published';
      row.box.disabled = true;
      row.box.checked = false;
      const link = element('a', { href: sent.answer.path, target: '_blank', rel: 'noopener' }, 'See it');
      return row.tell('good', sent.answer.action === 'created' ? 'Created' : 'Updated', link);
    }
    if (sent.kind === 'signed out') return fail(row, describeFailure(sent.kind));
    if (sent.kind === 'refused' && sent.retryAfterMs === null) {
      const { detail, errors } = sent.problem;
      return fail(row, errors[0] ? `${detail} ${errors[0].message}` : detail);
    }
    if (tries === MOST_TRIES) return fail(row, describeFailure('away'));
    const pause = sent.kind === 'refused' ? (sent.retryAfterMs ?? PAUSE_MS) : PAUSE_MS;
    wait(
      `Waiting ${Math.ceil(pause / 1000)} s: ${sent.kind === 'refused' ? sent.problem.detail : describeFailure('away')}`,
    );
    await pauseFor(pause);
  }
}

/** A file keeps its bytes, and is published as it says itself. A string says why it cannot be sent. */
async function buildForm({ path, file, key, user, seen, box }: FileRow): Promise<FormData | string> {
  const read = await readFile(file);
  if ('problem' in read) return read.problem;
  const body = new FormData();
  body.set('content', new Blob([read.text], { type: 'text/markdown' }), path.slice(-255));
  body.set('intent', 'document');
  body.set('key', key);
  body.set('user', user);
  body.set('seen', seen);
  // In doubt or not, a person chose it.
  if (box.checked) body.set('sure', 'yes');
  return body;
}

function pauseFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function fail(row: FileRow, reason: string): void {
  row.state = 'failed';
  row.tell('bad', 'Failed', reason);
}

function describeFailure(kind: 'away' | 'signed out'): string {
  return kind === 'away'
    ? 'The server does not answer; it is not known whether it has the file. Trying again does not double it.'
    : 'Your session has ended. Sign in again in another tab, and publish again.';
}

function firstSentence(html: string): string {
  const item = new DOMParser().parseFromString(html, 'text/html').querySelector('li');
  return item?.textContent?.trim() ?? '';
}
