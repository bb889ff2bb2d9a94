/** Creates an author with a digest due on a Monday, and reads its outcome. */

import { findDigestSettings } from '../../../store/digests/settings.ts';
import { addPageView } from '../add-page-view.ts';
import type { DigestWorld } from './digest.ts';
import { addArticle, addPerson } from './readership.ts';

export const DATE = '2026-11-23';
export const MONDAY = new Date('2026-11-23T08:30:00Z');
export const NEXT_MONDAY = '2026-11-30T08:00:00.000Z';

export interface DigestAuthor {
  id: string;
  email: string;
}

export interface DigestDesk {
  /** Creates an author with page views and a digest due on `MONDAY`. */
  createDueAuthor(name?: string, views?: number): Promise<DigestAuthor>;
  listMails(author: { email: string }): DigestWorld['smtp']['mails'];
  readState(author: { id: string }): Promise<string | undefined>;
  readNextDue(author: { id: string }): Promise<string | undefined>;
  sweepAndWait(...authors: { id: string }[]): Promise<void>;
}

export function createDigestDesk(world: DigestWorld): DigestDesk {
  const { db } = world;
  return {
    async createDueAuthor(name = 'Due', views = 3) {
      const id = await addPerson(db, name, new Date('2026-11-20T00:00:00Z'));
      const { id: articleId } = await addArticle(db, id);
      await addPageView(db, { articleId, views, readingSeconds: 0, now: new Date('2026-11-18T00:00:00Z') });
      const { email } = await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow();
      return { id, email };
    },
    listMails: ({ email }) => world.smtp.mails.filter(({ to }) => to === email),
    readState: async ({ id }) => (await world.readDigest(id, DATE))?.state,
    readNextDue: async ({ id }) => (await findDigestSettings(db, id))?.nextDueAt?.toISOString(),
    async sweepAndWait(...authors) {
      await world.sweep();
      await Promise.all(authors.map(({ id }) => world.waitForDigest(id, DATE)));
    },
  };
}
