/**
 * Shows a list of files with the result of the check of each. Publishes the selected files one
 * after another. The idempotency key of each file makes repeated attempts safe.
 */
import { button, element } from '../elements.ts';
import type { WritePage } from '../page.ts';
import { checkFile, type FileRow, type Progress, publishFile } from './file-row.ts';
import type { FoundFiles } from './list-dropped.ts';
import { readFile } from './read-file.ts';
import { createRow } from './show-row.ts';

export function showFileList(
  page: WritePage,
  { files, others, isCut }: FoundFiles,
  { openText }: { openText: (text: string, fileName: string) => void },
): void {
  const section = page.files;
  const [title] = section.children;
  const rows = files.map((file) =>
    createRow(file, {
      user: page.user,
      open: async () => {
        const read = await readFile(file.file);
        if ('text' in read) openText(read.text, file.file.name);
      },
    }),
  );
  const status = element('p', { className: 'soft' });
  status.setAttribute('role', 'status');
  const progress = element('progress', { value: 0, max: Math.max(1, rows.length) });
  progress.setAttribute('aria-label', 'Files done');
  const publish = button('Publish the chosen files', () => void runTask(publishChosen));
  publish.className = 'button primary';
  const stop = button('Stop', () => {
    isStopped = true;
  });
  stop.hidden = true;
  let isStopped = false;
  const sending: Progress = {
    wait: (text) => {
      status.textContent = text;
    },
    isStopped: () => isStopped,
  };

  const head = ['Publish', 'File', 'Verdict'].map((text) => element('th', { scope: 'col' }, text));
  const table = element('table', { className: 'data-table' }, element('thead', {}, element('tr', {}, ...head)));
  table.append(element('tbody', {}, ...rows.map(({ line }) => line)));
  const scroll = element('div', { className: 'scroll-x', tabIndex: 0 }, table);
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-label', 'Files and what is to be said of them');
  const skippedHint =
    others > 0
      ? `${others} other ${others === 1 ? 'file is' : 'files are'} left out${isCut ? ': no more than 500 are taken at once' : ''}.`
      : '';
  const hint = `${rows.length} Markdown ${rows.length === 1 ? 'file' : 'files'}. ${skippedHint} Each is published as its own frontmatter says.`;
  section.replaceChildren(
    ...(title ? [title] : []),
    element('p', {}, hint),
    ...[progress, status, scroll, element('div', { className: 'actions' }, publish, stop)],
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
    const checked = await each(rows, 'Checked', async (row) => {
      await checkFile(row, sending);
      refuseSameArticle(row);
    });
    const good = rows.filter(({ box }) => box.checked).length;
    return `${checked} of ${rows.length} are checked; ${good} can be published.`;
  }

  /** Unchecks a file that would overwrite another one, such as `post/index.md` of two folders. */
  function refuseSameArticle(row: FileRow): void {
    if (row.seen === 'new' || !row.box.checked) return;
    const earlier = rows.find(({ box, seen }) => box.checked && seen === row.seen);
    if (earlier === undefined || earlier === row) return;
    row.box.checked = false;
    const path = element('bdi', {}, earlier.path);
    row.tell('warn', 'Same article', 'It updates the same article as ', path, '. Give each file an "id" of its own.');
  }

  async function publishChosen(): Promise<string> {
    const chosen = rows.filter(({ box, state }) => box.checked && state !== 'published');
    await each(chosen, 'Published', (row) => publishFile(row, sending));
    const done = chosen.filter(({ state }) => state === 'published').length;
    if (done === chosen.length) return `${done} published.`;
    return `${done} of ${chosen.length} published; those that failed can be tried again, and none is published twice.`;
  }

  async function each(some: readonly FileRow[], word: string, act: (row: FileRow) => Promise<void>): Promise<number> {
    progress.max = Math.max(1, some.length);
    progress.value = 0;
    for (const row of some) {
      if (isStopped) break;
      await act(row);
      progress.value += 1;
      status.textContent = `${word}: ${progress.value} of ${some.length}`;
    }
    return progress.value;
  }
}
