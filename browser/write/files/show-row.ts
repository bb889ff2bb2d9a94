/** Creates the table row of a file. */

import { createKey } from '../create-key.ts';
import { button, element } from '../elements.ts';
import type { FileRow } from './file-row.ts';
import type { FoundFile } from './list-dropped.ts';

export function createRow(
  { path, file }: FoundFile,
  { user, open }: { user: string; open: () => Promise<void> },
): FileRow {
  const box = element('input', { type: 'checkbox', disabled: true });
  box.setAttribute('aria-label', `Publish ${path}`);
  const verdict = element('td', {}, element('span', { className: 'state' }, 'Waiting'));
  const name = element('th', { scope: 'row', dir: 'auto' }, path);
  const line = element('tr', {}, element('td', {}, box), name, verdict);
  return {
    ...{ path, file, box, line, seen: '', key: createKey(), user, state: 'waiting' },
    tell(tone, word, ...more) {
      const edit = button('Open', () => void open());
      edit.setAttribute('aria-label', `Open ${path} in the editor`);
      verdict.replaceChildren(element('span', { className: `state ${tone}` }, word), ' ', ...more, ' ', edit);
    },
  };
}
