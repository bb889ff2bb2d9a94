/** The pages behind the links of digests and newsletters, without a database. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { unsubscribeRoutes } from '../../../api/notifications/digest/unsubscribe-routes.ts';
import { newsletterRoutes } from '../../../api/readers/newsletter/routes.ts';
import { errorPlugin } from '../../../api/web/error-handler.ts';
import { signUnsubscribe } from '../../../store/mail-links/unsubscribe-token.ts';
import { recordHtml } from '../../support/api/record-html.ts';

const unsubscribeKey = randomBytes(32);
let app: FastifyInstance;
before(async () => {
  app = fastify();
  await app.register(errorPlugin);
  await app.register(unsubscribeRoutes, { unsubscribeKey, turnOffDigest: async () => undefined });
  await app.register(newsletterRoutes, { unsubscribeKey, now: () => new Date() } as never);
});
after(() => app.close());

const readMain = (page: string) =>
  `${/<title>.*<\/title>/.exec(page)?.[0]}${/<h1>[\s\S]*?(?=<\/main>)/.exec(page)?.[0]}`;

test('the pages that unsubscribe have the recorded HTML', async (context) => {
  const digest = `/digest/unsubscribe?token=${signUnsubscribe(unsubscribeKey, 'digest', randomUUID())}`;
  const newsletter = `/newsletter/leave?token=${signUnsubscribe(unsubscribeKey, 'newsletter', randomUUID())}`;
  const parts: Record<string, string> = {};
  for (const [name, url] of Object.entries({ digest, newsletter })) {
    parts[`${name}, before`] = readMain((await app.inject(url)).body);
    const invalid = await app.inject(`${url}x`);
    assert.equal(invalid.statusCode, 404);
    parts[`${name}, with a changed link`] = readMain(invalid.body);
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const done = await app.inject({ method: 'POST', url: digest, headers: form, payload: 'List-Unsubscribe=One-Click' });
  parts['digest, after'] = readMain(done.body);
  recordHtml(context, import.meta.dirname, 'link-pages', parts);
});
