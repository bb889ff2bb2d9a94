/**
 * Entry point of the export thread: restores one article per task. A document of up to 1 MiB is
 * parsed twice, which would block the event loop.
 */
import { restoreDocument } from '../../../article/export/restore-document.ts';
import type { StoredDraft } from '../../../article/export/stored-draft.ts';
import type { InThread } from '../../../runtime/threads/pool.ts';
import { markTaskStarted } from '../../../runtime/threads/task-clock.ts';

export interface ExportTask {
  article: StoredDraft;
  now: Date;
}

export default function runExportTask({ begun, article, now }: InThread<ExportTask>): string {
  markTaskStarted(begun);
  return restoreDocument(article, now);
}
