/** Files that are dropped or chosen: one comes into the editor, several become a list. */

import type { Editor } from '../editor.ts';
import { element, say } from '../elements.ts';
import type { KeptText } from '../kept-text.ts';
import type { WritePage } from '../page.ts';
import type { Preview } from '../preview.ts';
import { showFileList } from './file-list.ts';
import { type FoundFiles, listChosen, listDropped } from './list-dropped.ts';
import { readFile } from './read-file.ts';

export function followFiles(
  page: WritePage,
  { editor, kept, preview }: { editor: Editor; kept: KeptText; preview: Preview },
): void {
  const chooser = document.getElementById('write-file') as HTMLInputElement;
  const folder = document.getElementById('write-folder') as HTMLButtonElement;
  const open = document.getElementById('write-open') as HTMLButtonElement;
  chooser.multiple = true;
  open.hidden = true;
  folder.hidden = false;

  chooser.addEventListener('change', () => {
    if (chooser.files && chooser.files.length > 0)
      void take(chooser.files.length === 1 ? [...chooser.files] : listChosen(chooser.files));
    // The same file may be chosen again, once it was mended.
    chooser.value = '';
  });
  folder.addEventListener('click', () => {
    const input = element('input', { type: 'file', webkitdirectory: true });
    input.addEventListener('change', () => void take(listChosen(input.files ?? [])));
    input.click();
  });
  followDrops(page.root, (transfer) => {
    const [single, ...more] = transfer.files;
    const isFolder = [...transfer.items].some((item) => item.webkitGetAsEntry()?.isDirectory);
    if (single && more.length === 0 && !isFolder) return void take([single]);
    void listDropped(transfer).then(take);
  });

  async function take(found: FoundFiles | File[]): Promise<void> {
    if (!Array.isArray(found)) return showFileList(page, found, { openText });
    const [file] = found;
    if (!file) return;
    const read = await readFile(file);
    if ('problem' in read)
      return say(page.says, 'refused', element('p', {}, element('bdi', {}, file.name), `: ${read.problem}`));
    openText(read.text, file.name);
  }

  function openText(text: string, fileName: string): void {
    kept.setAside();
    page.set('fileName', fileName);
    if (page.article === '') page.set('seen', '');
    editor.setText(text);
    say(page.says, 'done', element('p', {}, element('bdi', {}, fileName), ' is open here.'));
    preview.refresh();
  }
}

/** Before the editor, which would put a dropped file's text where the pointer is. Dragged text is left to it. */
function followDrops(root: HTMLElement, drop: (transfer: DataTransfer) => void): void {
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  const mark = (isOver: boolean) => root.classList.toggle('dropping', isOver);
  root.addEventListener(
    'dragover',
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      mark(true);
    },
    { capture: true },
  );
  root.addEventListener('dragleave', (event) => {
    if (!(event.relatedTarget instanceof Node && root.contains(event.relatedTarget))) mark(false);
  });
  root.addEventListener(
    'drop',
    (event) => {
      mark(false);
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      event.stopPropagation();
      drop(event.dataTransfer);
    },
    { capture: true },
  );
}
