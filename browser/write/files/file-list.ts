/**
 * Checks several files, lists the results, and publishes the selected files in sequence. The
 * idempotency key of each file makes repeated attempts safe.
 */
import { createButton, createElement } from '../../create-element.ts';
import type { WritePage } from '../page.ts';
import { checkFile, createFileRow, type FileRow, type Progress, publishFile } from './file-row.ts';
import type { FoundFiles } from './list-dropped.ts';
import { readFile } from './read-file.ts';

export function showFileList(
  page: WritePage,
  { files, others, isTruncated }: FoundFiles,
  { openText }: { openText: (text: string, fileName: string) => void },
): void {
  const section = page.files;
  const [title] = section.children;
  const rows = files.map((file) =>
    createFileRow(file, {
      user: page.user,
      open: async () => {
        const read = await readFile(file.file);
        if ('text' in read) openText(read.text, file.file.name);
      },
    }),
  );
  const status = createElement('p', { className: 'soft', role: 'status' });
  const progress = createElement('progress', { value: 0, max: 1, 'aria-label': 'Completed files' });
  const publish = createButton('Publish selected files', () => void runTask(publishSelected), 'button primary');
  const stop = createButton('Stop', () => {
    isStopped = true;
  });
  stop.hidden = true;
  let isStopped = false;
  const sendProgress: Progress = {
    wait: (text) => {
      status.textContent = text;
    },
    isStopped: () => isStopped,
  };

  const head = ['Publish', 'File', 'Result'].map((text) => createElement('th', { scope: 'col' }, text));
  const table = createElement(
    'table',
    { className: 'data-table' },
    createElement('thead', {}, createElement('tr', {}, ...head)),
    createElement('tbody', {}, ...rows.map(({ rowElement }) => rowElement)),
  );
  const region = { role: 'region', 'aria-label': 'Files and their results' };
  const scroll = createElement('div', { className: 'scroll-x', tabIndex: 0, ...region }, table);
  const skippedHint =
    others > 0
      ? `${others} other ${others === 1 ? 'file is' : 'files are'} skipped${isTruncated ? ': the limit is 500 files at once' : ''}.`
      : '';
  const hint = `${rows.length} Markdown ${rows.length === 1 ? 'file' : 'files'}. ${skippedHint} The frontmatter of each file decides how it is published.`;
  section.replaceChildren(
    ...(title ? [title] : []),
    createElement('p', {}, hint),
    ...[progress, status, scroll, createElement('div', { className: 'actions' }, publish, stop)],
  );
  section.hidden = false;
  if (title instanceof HTMLElement) title.focus();
  void runTask(checkAll);

  /** Runs one task at a time. */
  async function runTask(task: () => Promise<string>): Promise<void> {
    publish.disabled = true;
    stop.hidden = false;
    isStopped = false;
    status.textContent = await task();
    publish.disabled = false;
    stop.hidden = true;
  }

  async function checkAll(): Promise<string> {
    const checked = await runForEach(rows, 'Checked', async (row) => {
      await checkFile(row, sendProgress);
      refuseSameArticle(row);
    });
    const publishableCount = rows.filter(({ checkbox }) => checkbox.checked).length;
    return `${checked} of ${rows.length} checked; ${publishableCount} can be published.`;
  }

  /** Unchecks a file that would overwrite another one, such as `post/index.md` of two folders. */
  function refuseSameArticle(row: FileRow): void {
    if (row.seen === 'new' || !row.checkbox.checked) return;
    const earlier = rows.find(({ checkbox, seen }) => checkbox.checked && seen === row.seen);
    if (earlier === undefined || earlier === row) return;
    row.checkbox.checked = false;
    const path = createElement('bdi', {}, earlier.path);
    row.showVerdict(
      'warn',
      'Same article',
      'It updates the same article as ',
      path,
      '. Add a different "id" to each file.',
    );
  }

  async function publishSelected(): Promise<string> {
    const selected = rows.filter(({ checkbox, state }) => checkbox.checked && state !== 'published');
    await runForEach(selected, 'Published', (row) => publishFile(row, sendProgress));
    const publishedCount = selected.filter(({ state }) => state === 'published').length;
    if (publishedCount === selected.length) return `${publishedCount} published.`;
    return `${publishedCount} of ${selected.length} published. Publish the failed files again; none is published twice.`;
  }

  async function runForEach(
    selectedRows: readonly FileRow[],
    word: string,
    run: (row: FileRow) => Promise<void>,
  ): Promise<number> {
    progress.max = Math.max(1, selectedRows.length);
    progress.value = 0;
    for (const row of selectedRows) {
      if (isStopped) break;
      await run(row);
      progress.value += 1;
      status.textContent = `${word}: ${progress.value} of ${selectedRows.length}`;
    }
    return progress.value;
  }
}
