/**
 * Restores the documents of an export in a separate thread, so that an export of thousands of
 * articles does not occupy the threads that publish requests use.
 */
import type { StoredDraft } from '../../../article/export/stored-draft.ts';
import { writeDocument } from '../../../article/export/write-document.ts';
import { createThreadPool, ThreadLimitError } from '../../../runtime/threads/pool.ts';
import type { ExportTask } from './worker.ts';

export interface ExportDocuments {
  restore(authorId: string, article: StoredDraft): Promise<string>;
  close(): Promise<void>;
}

export function createExportDocuments(now: () => Date): ExportDocuments {
  const threads = createThreadPool<ExportTask, string>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    timeLimitMs: 10_000,
    wallLimitMs: 20_000,
    // Concurrent exports share the thread article by article.
    maxWaitMs: 10 * 60_000,
  });
  return {
    async restore(authorId, article) {
      try {
        return await threads.run(authorId, { article, now: now() });
      } catch (error) {
        // A document that was accepted earlier can exceed a limit now. It is exported as stored.
        if (error instanceof ThreadLimitError) return writeDocument(article);
        throw error;
      }
    },
    close: () => threads.close(),
  };
}
