/** Streams the export of an account as a zip, with a limit per user. */
import type { FastifyReply } from 'fastify';
import type { Database } from '../../../store/db/database.ts';
import { countHit } from '../../../store/rate-limits/counters.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { type ArchiveDeps, listArchivedFiles } from './archive.ts';
import { createExportDocuments } from './documents.ts';
import { streamZip } from './zip.ts';

export interface ExportSender {
  /** Throws a 429 above `DOWNLOADS_PER_HOUR`. */
  send(reply: FastifyReply, userId: string): Promise<FastifyReply>;
  close(): Promise<void>;
}

/** Per user. Each download reads everything that the user wrote. */
const DOWNLOADS_PER_HOUR = 10;
const HOUR_MS = 3_600_000;

interface Deps extends Pick<ArchiveDeps, 'db' | 'images'> {
  now: () => Date;
  config: { baseUrl: string };
}

export function createExportSender({ db, images, now, config: { baseUrl } }: Deps): ExportSender {
  const documents = createExportDocuments(now);
  return {
    async send(reply, userId) {
      await countDownload(db, userId);
      const files = listArchivedFiles({ db, documents, images, baseUrl }, userId, now());
      return reply
        .type('application/zip')
        .headers({
          'content-disposition': `attachment; filename="courant-${now().toISOString().slice(0, 10)}.zip"`,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
        })
        .send(streamZip(files));
    },
    close: () => documents.close(),
  };
}

async function countDownload(db: Database, userId: string): Promise<void> {
  const { current, ttl } = await countHit(db, `export:${userId}`, HOUR_MS);
  if (current <= DOWNLOADS_PER_HOUR) return;
  const headers = { 'retry-after': String(Math.ceil(ttl / 1000)) };
  const detail = `You have downloaded your data ${DOWNLOADS_PER_HOUR} times within one hour. Try again later.`;
  throw new ProblemError(429, 'too_many_exports', detail, { headers });
}
