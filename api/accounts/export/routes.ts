/** Routes that download the export of an account, with a signed URL or from the settings. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { countHit } from '../../../store/rate-limits/counters.ts';
import { findSessionStatus } from '../../../store/sessions/session-status.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { HOUR_MS } from '../../auth/limits.ts';
import { createUnauthenticatedProblem } from '../../auth/session-hook.ts';
import type { SessionOwner, Sessions } from '../../auth/sessions.ts';
import type { ApiDeps, DeskDeps } from '../../deps.ts';
import { buildProblemResponse, ProblemError } from '../../plugins/errors/problem.ts';
import { addSettingsPage } from '../../web/desk/send-settings.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import { html } from '../../web/html.ts';
import { getViewer } from '../../web/viewer.ts';
import { listArchivedFiles } from './archive.ts';
import { streamZip } from './zip.ts';

const EXPORT_PATH = '/account/export';
/** Per user. Each download reads everything that the user wrote. */
const DOWNLOADS_PER_HOUR = 10;

/** Creates the short-lived URL that downloads the export of an account and grants nothing else. */
export async function openExport(
  { sessions, config }: { sessions: Sessions; config: { baseUrl: string } },
  owner: SessionOwner,
): Promise<{ url: string; expiresAt: Date }> {
  const { token, expiresAt } = await sessions.issue('courant:export', owner);
  return { url: `${config.baseUrl}${EXPORT_PATH}?token=${token}`, expiresAt };
}

export async function exportRoutes(fastify: FastifyInstance, deps: ApiDeps) {
  const { db, sessions, now } = deps;
  fastify.withTypeProvider<TypeBoxTypeProvider>().get(
    EXPORT_PATH,
    {
      // A HEAD request would read the whole export and send nothing.
      exposeHeadRoute: false,
      schema: {
        summary: 'Download all data of an account as a zip',
        description:
          'Requires the URL returned by the GraphQL mutation `exportEverything`, which is valid for five minutes.',
        querystring: Type.Object({ token: Type.Optional(Type.String()) }),
        response: {
          200: { description: 'The archive.', content: { 'application/zip': { schema: Type.String() } } },
          401: buildProblemResponse('The URL is incomplete or has expired.'),
          429: buildProblemResponse('Too many downloads within one hour.'),
          503: buildProblemResponse('The database is unreachable.'),
        },
      },
    },
    async (request, reply) => {
      const owner = await sessions.verify('courant:export', request.query.token ?? '');
      const sessionStatus = owner && (await findSessionStatus(db, { ...owner, now: now() }));
      // Suspended authors can still export their data.
      if (owner === null || sessionStatus?.state === 'ended') {
        const detail = 'The address of the export is incomplete or has expired. Request a new one.';
        throw createUnauthenticatedProblem(detail);
      }
      return sendExport(deps, reply, owner.userId);
    },
  );
}

/** `/desk/settings/export`. The form returns the download, so no URL contains a token. */
export async function exportSettings(app: FastifyInstance, deps: DeskDeps) {
  addSettingsPage(app, 'export', { render: () => EXPORT_PAGE });
  app.post(buildSettingsPath('export'), { config: ALLOW_UNCONFIRMED }, (request, reply) =>
    sendExport(deps, reply, getViewer(request).userId),
  );
}

const EXPORT_PAGE = html`<p>A zip of all your data on this site:</p>
<ul><li>each article as the Markdown that you sent, which you can publish again to the same article;</li>
<li>your profile, series and connections (without credentials), as JSON;</li>
<li>your comments, and the addresses of all copies at destinations, as JSON.</li></ul>
<form method="post" action="${buildSettingsPath('export')}"><button class="button primary">Download everything</button></form>
<p class="soft small">The zip is created during the download. You can download it ten times per hour.</p>`;

/** Throws a 429 above `DOWNLOADS_PER_HOUR`. */
async function sendExport(deps: ApiDeps, reply: FastifyReply, userId: string): Promise<FastifyReply> {
  const { current, ttl } = await countHit(deps.db, `export:${userId}`, HOUR_MS);
  if (current > DOWNLOADS_PER_HOUR) {
    const headers = { 'retry-after': String(Math.ceil(ttl / 1000)) };
    const detail = `You have downloaded your data ${DOWNLOADS_PER_HOUR} times within one hour. Try again later.`;
    throw new ProblemError(429, 'too_many_exports', detail, { headers });
  }
  return reply
    .type('application/zip')
    .headers({
      'content-disposition': `attachment; filename="courant-${deps.now().toISOString().slice(0, 10)}.zip"`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .send(streamZip(listArchivedFiles(deps, userId)));
}
