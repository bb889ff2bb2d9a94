/** What the thread of exports does, one article at a time: documents of up to 1 MiB are read twice, which has no place on the event loop. */
import { restoreDocument } from '../../../article/export/restore-document.ts';
import type { StoredDraft } from '../../../article/export/stored-draft.ts';
import { markBegun } from '../../../threads/begun.ts';
import type { InThread } from '../../../threads/pool.ts';

export interface ExportTask {
  article: StoredDraft;
  now: Date;
}

export default function runExportTask({ begun, article, now }: InThread<ExportTask>): string {
  markBegun(begun);
  return restoreDocument(article, now);
}
