/** Serves the desk's calendar: a month of an author's articles. Narrow screens show a list of days. */
import type { FastifyInstance } from 'fastify';
import { type CalendarEntry, listCalendar } from '../../store/articles/calendar.ts';
import { formatLocalDateTime, layOutMonth, type MonthSheet, type SheetDay } from '../../store/calendar/month.ts';
import type { DeskDeps } from '../deps.ts';
import { sendDeskPage } from '../web/desk/send-desk-page.ts';
import { findZone } from '../web/desk/time-zone.ts';
import { type Html, html } from '../web/html.ts';
import { getViewer } from '../web/viewer.ts';

/** More than an author publishes in a month. Above it, the page reports that there are more. */
const MAX_ENTRIES = 250;

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const SHORT_MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });

export async function calendarSection(app: FastifyInstance, { db, now }: DeskDeps) {
  app.get<{ Querystring: { month?: unknown } }>('/desk/calendar', async (request, reply) => {
    const { userId: authorId } = getViewer(request);
    const zone = findZone(request);
    const sheet = layOutMonth(request.query.month, { zone, now: now() });
    const entries = await listCalendar(db, { authorId, from: sheet.from, end: sheet.end, limit: MAX_ENTRIES + 1 });
    const body = renderCalendarPage(sheet, entries.slice(0, MAX_ENTRIES), {
      zone,
      isTruncated: entries.length > MAX_ENTRIES,
    });
    return sendDeskPage(request, reply, { title: 'Calendar', current: 'calendar' }, body);
  });
}

function renderCalendarPage(
  sheet: MonthSheet,
  entries: readonly CalendarEntry[],
  { zone, isTruncated }: { zone: string; isTruncated: boolean },
): Html {
  const localEntries = entries.map((entry) => ({ ...entry, ...formatLocalDateTime(entry.at, zone) }));
  const byDay = Map.groupBy(localEntries, ({ date }) => date);
  const today = sheet.today;
  const weeks = sheet.weeks.map(
    (week) => html`<tr>${week.map((day) => renderDay(day, byDay.get(day.date) ?? [], { zone, today }))}</tr>`,
  );
  return html`<nav class="actions spread months" aria-label="Months"><a class="button compact" href="/desk/calendar?month=${sheet.previous}" rel="prev">${nameMonth(sheet.previous, SHORT_MONTH)}</a>
<h2 class="month">${nameMonth(sheet.name)}</h2><a class="button compact" href="/desk/calendar?month=${sheet.next}" rel="next">${nameMonth(sheet.next, SHORT_MONTH)}</a></nav>
<p class="soft small">${entries.some(({ isScheduled }) => isScheduled) ? 'To move a scheduled article, open its page, or drag it to another day. ' : null}Times in ${zone}. <a href="/desk/settings/digest">Choose another zone</a>${isTruncated ? ' Not all articles are shown.' : null}</p>
<div data-message aria-live="polite"></div>
<div id="calendar"><table class="calendar"><caption class="sr-only">Articles by day</caption><thead><tr>${WEEKDAYS.map((name) => html`<th scope="col"><span aria-hidden="true">${name.slice(0, 3)}</span><span class="sr-only">${name}</span></th>`)}</tr></thead><tbody>${weeks}</tbody></table></div>
${entries.length === 0 ? html`<p class="soft">No articles in this month. Schedule an article with <code>scheduled_at</code> in its frontmatter, or on its page at the desk.</p>` : null}`;
}

function renderDay(
  { date, day, isOfMonth, isToday }: SheetDay,
  entries: readonly (CalendarEntry & { time: string })[],
  { zone, today }: { zone: string; today: string },
): Html {
  const classes = [isOfMonth ? '' : 'outside', isToday ? 'today' : '', entries.length === 0 ? 'bare' : ''].filter(
    Boolean,
  );
  const name = DAY.format(new Date(`${date}T00:00Z`));
  const items = entries.map(
    ({ id, title, time, isScheduled }) =>
      html`<li id="a-${id}"${isScheduled ? html` class="scheduled" draggable="true" data-path="/desk/articles/${id}/schedule" data-time="${time}" data-zone="${zone}" data-name="${title}"` : null}><a href="/desk/articles/${id}"${isScheduled ? html` draggable="false"` : null}><time>${time}</time> <bdi>${title}</bdi><span class="sr-only">${isScheduled ? ', scheduled' : ', published'}</span></a></li>`,
  );
  return html`<td class="${classes.join(' ')}"${isToday ? html` aria-current="date"` : null}${date < today ? null : html` data-date="${date}"`}><span class="day" aria-hidden="true">${day}</span><span class="day-name">${name}</span>${items.length > 0 ? html`<ul>${items}</ul>` : null}</td>`;
}

function nameMonth(name: string, format = MONTH): string {
  return format.format(new Date(`${name}-01T00:00Z`));
}
