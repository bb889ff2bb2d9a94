/** The script of the page for writing. Without it the page is a form; with it there is an editor, a preview as one types, and folders of files. */

import { createEditor } from './write/editor.ts';
import { followFiles } from './write/files/follow-files.ts';
import { keepText } from './write/kept-text.ts';
import { readPage } from './write/page.ts';
import { followPreview } from './write/preview.ts';
import { followPublishing } from './write/publish.ts';

const page = readPage();
if (page) {
  const editor = createEditor(page);
  const preview = followPreview(page, editor);
  const kept = keepText(page, editor);
  followPublishing(page, editor, { kept, preview });
  followFiles(page, { editor, kept, preview });
}
