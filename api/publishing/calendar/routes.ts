/** The desk's calendar: when articles appear, and when they appeared. */
import type { DeskDeps } from '../../deps.ts';
import type { FastifyInstance } from 'fastify';
import { layOutMonth } from '../../../calendar/month.ts';
import { listCalendar } from '../../../store/articles/calendar.ts';
import { renderCalendarPage } from './page.ts';
import { sendDeskPage } from '../../web/desk/send-desk-page.ts';
import { getViewer } from '../../web/viewer.ts';
import { findZone } from '../../web/desk/time-zone.ts';

/** More than anybody publishes in a month; beyond, the page says that there are more. */
const MOST = 250;

export async function calendarSection(app: FastifyInstance, { db, now }: DeskDeps) {
  app.get<{ Querystring: { month?: unknown } }>(
    '/desk/calendar',
    { schema: { hide: true } },
    async (request, reply) => {
      const { userId: authorId } = getViewer(request);
      const zone = findZone(request);
      const sheet = layOutMonth(request.query.month, { zone, now: now() });
      const entries = await listCalendar(db, { authorId, from: sheet.from, end: sheet.end, limit: MOST + 1 });
      const body = renderCalendarPage(sheet, entries.slice(0, MOST), {
        zone,
        isCut: entries.length > MOST,
      });
      return sendDeskPage(request, reply, { title: 'Calendar', current: 'calendar' }, body);
    },
  );
}
