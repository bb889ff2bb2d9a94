/** Serves the desk's calendar of scheduled and published articles. */

import type { FastifyInstance } from 'fastify';
import { listCalendar } from '../../../store/articles/calendar.ts';
import { layOutMonth } from '../../../store/calendar/month.ts';
import type { DeskDeps } from '../../deps.ts';
import { sendDeskPage } from '../../web/desk/send-desk-page.ts';
import { findZone } from '../../web/desk/time-zone.ts';
import { getViewer } from '../../web/viewer.ts';
import { renderCalendarPage } from './page.ts';

/** More than an author publishes in a month. Above it, the page reports that there are more. */
const MAX_ENTRIES = 250;

export async function calendarSection(app: FastifyInstance, { db, now }: DeskDeps) {
  app.get<{ Querystring: { month?: unknown } }>(
    '/desk/calendar',
    { schema: { hide: true } },
    async (request, reply) => {
      const { userId: authorId } = getViewer(request);
      const zone = findZone(request);
      const sheet = layOutMonth(request.query.month, { zone, now: now() });
      const entries = await listCalendar(db, { authorId, from: sheet.from, end: sheet.end, limit: MAX_ENTRIES + 1 });
      const body = renderCalendarPage(sheet, entries.slice(0, MAX_ENTRIES), {
        zone,
        isTruncated: entries.length > MAX_ENTRIES,
      });
      return sendDeskPage(request, reply, { title: 'Calendar', current: 'calendar' }, body);
    },
  );
}
