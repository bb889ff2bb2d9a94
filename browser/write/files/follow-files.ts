/** Handles dropped, pasted and chosen files: one opens in the editor, several become a list. */
import { isPicture, PICTURES_NOT_ACCEPTED_MESSAGE } from '../../../article/images/picture-file.ts';
import { createElement } from '../../create-element.ts';
import type { Editor } from '../editor.ts';
import type { LocalText } from '../local-text.ts';
import { showWriteMessage, type WritePage } from '../page.ts';
import type { Preview } from '../preview.ts';
import { showFileList } from './file-list.ts';
import { type FoundFiles, listChosen, listDropped } from './list-dropped.ts';
import { readFile } from './read-file.ts';

export function followFiles(
  page: WritePage,
  { editor, localText, preview }: { editor: Editor; localText: LocalText; preview: Preview },
): void {
  const chooser = document.getElementById('write-file') as HTMLInputElement;
  const folder = document.getElementById('write-folder') as HTMLButtonElement;
  const open = document.getElementById('write-open') as HTMLButtonElement;
  chooser.multiple = true;
  open.hidden = true;
  folder.hidden = false;

  chooser.addEventListener('change', () => {
    const files = [...(chooser.files ?? [])];
    if (!refusePictures(files)) void openFiles(files.length > 1 ? listChosen(files) : files);
    // Otherwise choosing the same file again, after a correction, fires no event.
    chooser.value = '';
  });
  folder.addEventListener('click', () => {
    const input = createElement('input', { type: 'file', webkitdirectory: true });
    input.addEventListener('change', () => void openFiles(listChosen(input.files ?? [])));
    input.click();
  });
  followDrops(page.root, receive);
  followPastes(page.root, receive);

  function receive(transfer: DataTransfer): void {
    const files = [...transfer.files];
    if (refusePictures(files)) return;
    const isFolder = [...transfer.items].some((item) => item.webkitGetAsEntry()?.isDirectory);
    void (files.length === 1 && !isFolder ? openFiles(files) : listDropped(transfer).then(openFiles));
  }

  /**
   * Reports pictures as refused, but not those inside a folder. Returns true if there is no other
   * file.
   */
  function refusePictures(files: readonly File[]): boolean {
    const pictures = files.filter((file) => isPicture(file));
    if (pictures.length > 0) refuse(pictures, PICTURES_NOT_ACCEPTED_MESSAGE);
    return pictures.length > 0 && pictures.length === files.length;
  }

  async function openFiles(found: FoundFiles | File[]): Promise<void> {
    if (!Array.isArray(found)) return showFileList(page, found, { openText });
    const [file] = found;
    if (!file) return;
    const read = await readFile(file);
    if ('problem' in read) return refuse([file], read.problem);
    openText(read.text, file.name);
  }

  function refuse(files: readonly File[], problem: string): void {
    const names = files.flatMap(({ name }, index) => [index === 0 ? '' : ', ', createElement('bdi', {}, name)]);
    showWriteMessage(page.statusArea, 'refused', createElement('p', {}, ...names, `: ${problem}`));
  }

  function openText(text: string, fileName: string): void {
    localText.switchText();
    page.clearConfirmation();
    page.set('fileName', fileName);
    if (page.article === '') page.set('seen', '');
    editor.setText(text);
    showWriteMessage(
      page.statusArea,
      'done',
      createElement('p', {}, createElement('bdi', {}, fileName), ' is open in the editor.'),
    );
    preview.refresh();
  }
}

/**
 * Captures the drop before the editor, which would insert the text of the file at the pointer.
 * Leaves dragged text to the editor.
 */
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

/** Leaves pastes with text to the editor. Word processors add a picture of the text. */
function followPastes(root: HTMLElement, paste: (transfer: DataTransfer) => void): void {
  root.addEventListener(
    'paste',
    (event) => {
      const { clipboardData } = event;
      if (!clipboardData?.types.includes('Files') || clipboardData.types.includes('text/plain')) return;
      event.preventDefault();
      event.stopPropagation();
      paste(clipboardData);
    },
    { capture: true },
  );
}
