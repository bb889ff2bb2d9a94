/** Creates the table row of a file. */

import { createKey } from '../create-key.ts';
import { createButton, createElement } from '../elements.ts';
import type { FileRow } from './file-row.ts';
import type { FoundFile } from './list-dropped.ts';

export function createFileRow(
  { path, file }: FoundFile,
  { user, open }: { user: string; open: () => Promise<void> },
): FileRow {
  const checkbox = createElement('input', { type: 'checkbox', disabled: true });
  checkbox.setAttribute('aria-label', `Publish ${path}`);
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
