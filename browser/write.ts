/**
 * Entry point of the write page's script, which adds an editor, a live preview and folder uploads.
 * Without it the page is a plain form.
 */
import { createEditor } from './write/editor.ts';
import { followFiles } from './write/files/follow-files.ts';
import { storeTextLocally } from './write/local-text.ts';
import { findWritePage } from './write/page.ts';
import { startPreview } from './write/preview.ts';
import { followPublishing } from './write/publish.ts';

const page = findWritePage();
if (page) {
  const editor = createEditor(page);
  const preview = startPreview(page, editor);
  const localText = storeTextLocally(page, editor);
  followPublishing(page, editor, { localText, preview });
  followFiles(page, { editor, localText, preview });
}
