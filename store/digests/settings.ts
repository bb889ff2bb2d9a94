/** Digest settings per author. Stores the next due moment, so that a sweep reads only due rows. */
import { readZone } from '../../article/time-zone.ts';
import type { DigestFrequency, DigestRhythm } from '../calendar/digest-rhythm.ts';
import type { Database } from '../db/database.ts';
import { planNextDue } from './due-date.ts';

export interface DigestSettings extends DigestRhythm {
  /** Also send a digest without any news. */
  sendEmpty: boolean;
  nextDueAt: Date | null;
  /** When the mail server permanently refused the address. */
  stoppedAt: Date | null;
  stoppedReason: string | null;
}

export interface DigestSettingsChange {
  frequency?: DigestFrequency;
  weekday?: number;
  hour?: number;
  zone?: string;
  sendEmpty?: boolean;
}

export interface SettingsProblem {
  path: string;
  message: string;
}

export function findDigestSettings(db: Database, userId: string): Promise<DigestSettings | undefined> {
  return db
    .selectFrom('digestSettings')
    .select(['frequency', 'weekday', 'hour', 'zone', 'sendEmpty', 'nextDueAt', 'stoppedAt', 'stoppedReason'])
    .where('userId', '=', userId)
    .executeTakeFirst();
}

/**
 * Returns all problems, or the new settings; undefined if there is no such user. A new rhythm
 * recomputes the due moment from the last digest, even into the past, so that none is lost.
 * Restarts stopped digests.
 */
export async function changeDigestSettings(
  db: Database,
  options: { userId: string; change: DigestSettingsChange; now: Date },
): Promise<{ problems: SettingsProblem[] } | { settings: DigestSettings } | undefined> {
  const { userId, change, now } = options;
  const problems = findProblems(change);
  if (problems.length > 0) return { problems };
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('digestSettings')
      .select(['frequency', 'weekday', 'hour', 'zone', 'sendEmpty', 'nextDueAt', 'since'])
      .where('userId', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return undefined;
    const { nextDueAt: dueBefore, since: sinceBefore, ...current } = before;
    const zone = change.zone === undefined ? current.zone : (readZone(change.zone) ?? current.zone);
    const updated = { ...current, ...omitUndefined(change), zone };
    // Digests were off or stopped: those due in the meantime are not sent later.
    const since = dueBefore === null ? now : sinceBefore;
    const nextDueAt =
      (hasSameRhythm(current, updated) && dueBefore) || (await planNextDue(tx, { userId, since, ...updated }, now));
    const settings: DigestSettings = { ...updated, nextDueAt, stoppedAt: null, stoppedReason: null };
    await tx
      .updateTable('digestSettings')
      .set({ ...settings, since, unclearRefusals: 0, updatedAt: now })
      .where('userId', '=', userId)
      .execute();
    return { settings };
  });
}

/** Turns digests off; one in preparation is not sent. False if there is no such user. */
export async function turnOffDigest(db: Database, userId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('digestSettings')
    .set({ frequency: 'off', nextDueAt: null, updatedAt: now })
    .where('userId', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function findProblems({ weekday, hour, zone }: DigestSettingsChange): SettingsProblem[] {
  const problems: SettingsProblem[] = [];
  if (weekday !== undefined && !isIntegerBetween(weekday, 1, 7)) {
    problems.push({ path: 'weekday', message: 'must be 1 (Monday) to 7 (Sunday)' });
  }
  if (hour !== undefined && !isIntegerBetween(hour, 0, 23)) problems.push({ path: 'hour', message: 'must be 0 to 23' });
  if (zone !== undefined && readZone(zone) === null) {
    problems.push({ path: 'zone', message: 'must be the IANA name of a time zone, such as Europe/Lisbon' });
  }
  return problems;
}

function hasSameRhythm(before: DigestRhythm, after: DigestRhythm): boolean {
  return (['frequency', 'weekday', 'hour', 'zone'] as const).every((field) => before[field] === after[field]);
}

function isIntegerBetween(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

function omitUndefined(change: DigestSettingsChange): Partial<Required<DigestSettingsChange>> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
