/**
 * Entry point of the write page. Without it the page is a plain form; with it the page has an
 * editor, a live preview and folder uploads.
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
  const kept = storeTextLocally(page, editor);
  followPublishing(page, editor, { kept, preview });
  followFiles(page, { editor, kept, preview });
}
