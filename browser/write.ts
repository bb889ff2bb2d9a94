/**
 * Entry point of the write page. Without it the page is a plain form; with it the page has an
 * editor, a live preview and folder uploads.
 */

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
