/** Simulates an author, a clock, and the steps of the hourly sweep and a digest's workflow. */
import type { Database } from '../../../../store/db/database.ts';
import { beginDigestRow, closeDigest } from '../../../../store/digests/digest-row.ts';
import { listDueAuthors } from '../../../../store/digests/due-authors.ts';
import { chooseDigestDate } from '../../../../store/digests/due-date.ts';
import {
  changeDigestSettings,
  type DigestSettings,
  type DigestSettingsChange,
  findDigestSettings,
} from '../../../../store/digests/settings.ts';
import { addPerson } from '../../../support/api/readership.ts';

const HOUR_MS = 60 * 60_000;

export interface Walk {
  userId: string;
  /** The time and the digest date of each mail. */
  mails: { at: Date; date: string }[];
  change(change: DigestSettingsChange): Promise<DigestSettings>;
  /** Advances to this moment, with a sweep half a minute after every full hour. */
  until(moment: Date | string): Promise<void>;
}

export interface WalkOptions {
  startsAt: string;
  settings?: DigestSettingsChange;
  /** Time from the start of a digest to its mail. */
  lagMs?: number;
  /** Called after the sweep has chosen a date, and between the start of a digest and its mail. */
  during?: (moment: 'chosen' | 'begun', at: Date) => Promise<void>;
}

export async function startWalk(db: Database, { startsAt, settings, lagMs = 0, during }: WalkOptions): Promise<Walk> {
  let now = new Date(startsAt);
  const userId = await addPerson(db, 'Walker', now);
  const mails: Walk['mails'] = [];

  async function change(settingsChange: DigestSettingsChange): Promise<DigestSettings> {
    const result = await changeDigestSettings(db, { userId, change: settingsChange, now });
    if (!result || !('settings' in result)) throw new Error(JSON.stringify(result));
    return result.settings;
  }

  async function sweep(): Promise<void> {
    const due = await listDueAuthors(db, { until: now, after: null, limit: 100 });
    const author = due.find((one) => one.userId === userId);
    const date = author && (await chooseDigestDate(db, author, now));
    if (!date) return;
    await during?.('chosen', now);
    const state = await beginDigestRow(db, { userId, date, messageId: '<a@b>', now });
    if (state !== 'pending') return;
    now = new Date(now.getTime() + lagMs / 2);
    await during?.('begun', now);
    now = new Date(now.getTime() + lagMs / 2);
    mails.push({ at: now, date });
    await closeDigest(db, { userId, date, outcome: { kind: 'sent' }, now });
  }

  async function until(moment: Date | string): Promise<void> {
    const end = new Date(moment);
    for (;;) {
      const next = new Date(Math.floor((now.getTime() - 30_000) / HOUR_MS + 1) * HOUR_MS + 30_000);
      if (next > end) break;
      now = next;
      const settings = await findDigestSettings(db, userId);
      if (settings?.nextDueAt && settings.nextDueAt <= now) await sweep();
      // Nothing happens before the next due moment.
      else if (!settings?.nextDueAt || settings.nextDueAt >= end) break;
      else if (settings.nextDueAt.getTime() - HOUR_MS > now.getTime()) {
        now = new Date(settings.nextDueAt.getTime() - HOUR_MS);
      }
    }
    if (now < end) now = end;
  }

  if (settings) await change(settings);
  return { userId, mails, change, until };
}
