/** Mutants of calendars, digests and schedules. */
import type { MutatedFile } from '../mutant.ts';

export const TIME: readonly MutatedFile[] = [
  {
    file: 'store/calendar/digest-rhythm.ts',
    tests: ['test/store/calendar/digest-rhythm.test.ts'],
    mutants: [
      {
        mistake: 'a digest that is due within an hour is skipped',
        from: 'due > after',
        to: 'due.getTime() > after.getTime() + 3_600_000',
      },
      { mistake: 'a monthly digest is sent every week', from: 'day.day <= 7', to: 'day.day <= 31' },
      {
        mistake: 'the search for the next digest starts tomorrow',
        from: 'toZonedTime(after, rhythm.zone).toPlainDate();',
        to: 'toZonedTime(after, rhythm.zone).toPlainDate().add({ days: 1 });',
      },
      {
        mistake: 'a digest at an hour skipped by the clock change is an hour late',
        from: `found.add({ nanoseconds: 1 }).getTimeZoneTransition('previous') ?? found`,
        to: 'found',
      },
      { mistake: 'an hour that occurs twice means its second occurrence', from: `'compatible'`, to: `'later'` },
    ],
  },
  {
    file: 'store/calendar/next-digest.ts',
    tests: ['test/store/calendar/digest-rhythm.test.ts', 'test/store/digests/periods.test.ts'],
    mutants: [
      {
        mistake: 'two digests are sent for one day',
        from: '<= last.date) due',
        to: '<= last.date && false) due',
      },
      {
        mistake: 'a change of the hour sends a second digest immediately',
        from: 'last.at.getTime() + distance - 1',
        to: 'last.at.getTime()',
      },
      {
        mistake: 'a new frequency uses the minimum distance of the old one',
        from: 'Math.min(MIN_DISTANCE_MS[last.frequency], MIN_DISTANCE_MS[rhythm.frequency])',
        to: 'MIN_DISTANCE_MS[last.frequency]',
      },
    ],
  },
  {
    file: 'store/calendar/month.ts',
    tests: ['test/store/calendar/month.test.ts'],
    mutants: [
      {
        mistake: 'weeks start on Sunday',
        from: 'first.subtract({ days: first.dayOfWeek - 1 })',
        to: 'first.subtract({ days: first.dayOfWeek })',
      },
      { mistake: 'the last week of a month is missing', from: 'Math.ceil(days / 7)', to: 'Math.floor(days / 7)' },
      {
        mistake: 'the calendar page ends a week early',
        from: 'start.add({ weeks: weeks.length })',
        to: 'start.add({ weeks: weeks.length - 1 })',
      },
    ],
  },
  {
    file: 'store/calendar/ranges.ts',
    tests: ['test/store/calendar/ranges.test.ts'],
    mutants: [
      {
        mistake: 'a period of seven days covers eight',
        from: 'today.subtract({ days: days - 1 })',
        to: 'today.subtract({ days })',
      },
      {
        mistake: 'the compared periods overlap',
        from: 'previous: span(from.subtract({ days }), today.subtract({ days }))',
        to: 'previous: span(from.subtract({ days }), today)',
      },
      { mistake: 'the last day of a range is missing', from: 'to.add({ days: 1 })', to: 'to.add({ days: 0 })' },
    ],
  },
  {
    file: 'store/calendar/week.ts',
    tests: ['test/store/roundups/make-roundup.test.ts', 'test/api/articles/roundups.test.ts'],
    mutants: [
      {
        mistake: 'the roundup covers the week before the last one',
        from: 'end.subtract({ days: 7 })',
        to: 'end.subtract({ days: 14 })',
      },
      { mistake: 'the year of a week is that of its Monday', from: 'monday.yearOfWeek', to: 'monday.year' },
    ],
  },
  {
    file: 'store/articles/schedules/publish-due.ts',
    tests: ['test/store/articles/publish-due.test.ts', 'test/store/articles/lateness.test.ts'],
    mutants: [
      {
        mistake: 'an article is published before its time',
        from: `    .where('scheduledAt', '<=', now)\n`,
        to: '',
      },
      {
        mistake: 'the scheduled article of a suspended author is published',
        from: '    .where(sql<boolean>`exists (select 1 from users where id = articles.author_id and suspended_at is null)`)\n',
        to: '',
      },
      {
        mistake: 'a schedule changes the time of the first publication',
        from: `publishedAt: eb.fn.coalesce('publishedAt', eb.val(now)),`,
        to: 'publishedAt: now,',
      },
      {
        mistake: 'a late publication is not reported',
        from: 'if (lateMs >= MIN_REPORTED_DELAY_MS) {',
        to: 'if (lateMs >= 1e12) {',
      },
      {
        mistake: 'a dispatch handled before the scheduled time counts as handled for this publish',
        from: `        dispatch: eb('dispatch', '+', 1),\n`,
        to: '',
      },
    ],
  },
  {
    file: 'store/articles/schedules/zone-rules.ts',
    tests: ['test/store/articles/zone-rules.test.ts'],
    mutants: [
      {
        mistake: 'older time zone rules replace newer ones',
        from: `(rules ?? '') < ZONE_RULES`,
        to: `(rules ?? '') !== ZONE_RULES`,
      },
      { mistake: 'a moved schedule does not wake its workflow', from: 'await enqueueArticle(tx, id);', to: '' },
      {
        mistake: 'a schedule that its author has changed meanwhile is reset',
        from: `and date_trunc('milliseconds', scheduled_at) = \${at}`,
        to: '',
      },
    ],
  },
  {
    file: 'store/articles/schedules/reminders.ts',
    tests: ['test/store/articles/reminders.test.ts', 'test/workflows/accounts/reminders.test.ts'],
    mutants: [
      {
        mistake: 'two reminders are sent for one article',
        from: 'and a.reminded_for is distinct from a.scheduled_at',
        to: '',
      },
      {
        mistake: 'a reminder for a former time is recorded',
        from: `.where('scheduledAt', '=', new Date(scheduledAt))`,
        to: '',
      },
      {
        mistake: 'a temporary problem sends a notification',
        from: 'if (TEMPORARY_CODES.has(code)) continue;',
        to: '',
      },
    ],
  },
  {
    file: 'store/digests/due-date.ts',
    tests: ['test/store/digests/settings.test.ts', 'test/store/digests/periods.test.ts'],
    mutants: [
      {
        mistake: 'an outage causes a digest for each missed day',
        from: 'findLatestDue(author, dueAt, now)',
        to: 'dueAt',
      },
      {
        mistake: 'a suspended author receives a digest',
        from: 'return author.suspended || latest === null ? null',
        to: 'return latest === null ? null',
      },
      {
        mistake: 'a started digest is abandoned after a change of the frequency',
        from: `if (last?.isOpen && rhythm.frequency !== 'off')`,
        to: 'if (false)',
      },
    ],
  },
  {
    file: 'article/frontmatter/publish-time.ts',
    tests: ['test/article/frontmatter/publish-state.test.ts', 'test/article/frontmatter/zoned-time.test.ts'],
    mutants: [
      {
        mistake: 'an offset without a colon is not parsed',
        from: '[+-]\\d{2}(?::?\\d{2})?',
        to: '[+-]\\d{2}(?::\\d{2})?',
      },
      {
        mistake: 'the 31st of November is accepted as the first of December',
        from: 'day > countDays(year, month)',
        to: 'day > 31',
      },
      {
        mistake: 'the sign of an offset is reversed',
        from: `text.startsWith('-') ? -1 : 1`,
        to: `text.startsWith('-') ? 1 : -1`,
      },
      { mistake: 'a time without an offset causes no warning', from: 'if (!hasOffset) {', to: 'if (hasOffset) {' },
    ],
  },
  {
    file: 'article/frontmatter/zoned-time.ts',
    tests: ['test/article/frontmatter/zoned-time.test.ts', 'test/store/articles/zone-rules.test.ts'],
    mutants: [
      {
        mistake: 'a time skipped by the clock change is accepted',
        from: 'if (valid.length === 0) {',
        to: 'if (valid.length > 2) {',
      },
      {
        mistake: 'an offset that contradicts its zone is accepted',
        from: 'isSameOffset(candidate.offset, offset))',
        to: 'candidate.offset !== offset || isSameOffset(candidate.offset, offset))',
      },
      {
        mistake: 'UTC beside a zone counts as a contradiction',
        from: 'if (offset !== null && UTC.test(offset)) {',
        to: 'if (offset !== null && !UTC) {',
      },
    ],
  },
];
