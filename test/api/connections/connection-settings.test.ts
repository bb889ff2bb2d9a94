/** Connection settings without script, with real probes of the sandbox. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DESTINATION_KEYS } from '../../../article/types.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import { DESCRIPTORS } from '../../../destinations/registry.ts';
import { DEMO_FOREM_KEY, DEMO_GHOST_KEY, DEMO_WORDPRESS, SECOND_FOREM_KEY } from '../../../sandbox/app.ts';
import { startServer } from '../../destinations/destination-harness.ts';
import { startWorldOfAccounts } from '../../support/api/accounts.ts';
import { markdown } from '../../support/api/api.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { openVisitor, type Visitor } from '../accounts/settings-support.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startWorldOfAccounts();
});
after(() => world.close());

const CONNECTIONS = '/desk/settings/connections';
const FOREM = `${CONNECTIONS}/blogsite_a`;

function connectForem(visitor: Visitor, apiKey = DEMO_FOREM_KEY) {
  return visitor.send(`${FOREM}/new`, { platform: 'forem', baseUrl: `${world.sandboxUrl}/forem/api`, apiKey });
}

test('the form of each platform has the fields of its client and the steps to find their values', async () => {
  const visitor = await openVisitor(world.api, 'looks-at-forms');
  assert.match((await visitor.get(CONNECTIONS)).text, /aria-label="Connect WordPress or Ghost"/);
  for (const key of DESTINATION_KEYS) {
    for (const platform of PLATFORMS_BY_KEY[key]) {
      const { fields, steps } = DESCRIPTORS[platform].connection;
      const { status, text } = await visitor.get(`${CONNECTIONS}/${key}/new?platform=${platform}`);
      assert.equal(status, 200);
      assert.ok(fields.every(({ name }) => text.includes(`name="${name}"`)));
      const [firstWords = ''] = steps[0]?.split(/[[`]/) ?? [];
      assert.ok(text.includes(firstWords));
    }
  }
  for (const path of ['nowhere', 'nowhere/new', 'cms_site/new?platform=forem']) {
    assert.equal((await visitor.get(`${CONNECTIONS}/${path}`)).status, 404, path);
  }
});

test('a probe connects an account; the page shows the last delivery and the copies that remain after disconnecting', async () => {
  const visitor = await openVisitor(world.api, 'connects-one');
  const connected = await connectForem(visitor);
  assert.equal(connected.location, FOREM);
  const page = (await visitor.get(FOREM)).text;
  assert.match(page, /DEV accepted the credential\. The account is connected/);
  assert.match(page, />Active<[\s\S]*@demo[\s\S]*No deliveries yet/);
  assert.doesNotMatch(page, new RegExp(DEMO_FOREM_KEY));

  const form = /name="form" value="([^"]+)"/.exec((await visitor.get('/desk/settings/tokens')).text)?.[1] ?? '';
  const created = await visitor.send('/desk/settings/tokens', { form, name: 'test', lifetime: '' });
  const token = /courant_[0-9a-f]{48}/.exec(created.text)?.[0] ?? '';
  const { body } = await world.api.publish(
    { content: markdown({ title: 'Sent <there>', cross_post: { blogsite_a: true } }) },
    { token },
  );
  await world.reaches(body.data?.id ?? '', 'blogsite_a', 'delivered');
  assert.match(
    (await visitor.get(FOREM)).text,
    /Last delivery <time[\s\S]*Sent &lt;there&gt;[\s\S]*1 copy stays there\./,
  );
  assert.match((await visitor.get('/desk/settings/delete')).text, /1 copy at destinations[\s\S]*Sent &lt;there&gt;/);

  const disconnected = await visitor.send(`${FOREM}/disconnect`);
  assert.equal(disconnected.location, CONNECTIONS);
  assert.match((await visitor.get(CONNECTIONS)).text, /delivered copies stay at the destination[\s\S]*Not connected/);
  assert.equal((await visitor.get(FOREM)).location, `${FOREM}/new`);
  assert.match((await visitor.send(`${FOREM}/test`)).location ?? '', /\/new$/);
});

test('a refused credential is reported at its field; the form keeps the address but not the secret', async () => {
  const visitor = await openVisitor(world.api, 'mistypes-it');
  const refused = await connectForem(visitor, 'a-wrong-secret-key');
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="apiKey-help" role="alert"/);
  assert.match(refused.text, new RegExp(`value="${world.sandboxUrl}/forem/api"`));
  assert.doesNotMatch(refused.text + refused.headers.getSetCookie().join(), /a-wrong-secret-key/);
  const missing = await visitor.send(`${CONNECTIONS}/blogsite_b/new`, { token: 'abc-secret', publicationId: '' });
  assert.match(missing.text, /id="publicationId-help" role="alert">Hashnode requires “Publication id”\./);
  assert.doesNotMatch(missing.text, /abc-secret/);
  const nowhere = await visitor.send(`${CONNECTIONS}/cms_site/new`, {
    platform: 'wordpress',
    username: 'ann',
    applicationPassword: 'x y',
  });
  assert.match(nowhere.text, /id="baseUrl-help" role="alert">The address of your WordPress site is missing/);
  assert.match(nowhere.text, /value="ann"/);
  assert.deepEqual(
    await world.api.db.selectFrom('connections').selectAll().where('userId', '=', visitor.userId).execute(),
    [],
  );
});

test('Ghost replaces WordPress at one destination; an address that leads to another site is rejected', async (context) => {
  const visitor = await openVisitor(world.api, 'has-a-site');
  const site = `${CONNECTIONS}/cms_site`;
  const elsewhere = world.sandboxUrl.replace('127.0.0.1', 'localhost');
  const moved = await startServer(context, (_request, response) => {
    response.writeHead(200, { link: `<${elsewhere}/wordpress/wp-json/>; rel="https://api.w.org/"` }).end();
  });
  const rejected = await visitor.send(`${site}/new`, { platform: 'wordpress', baseUrl: moved, ...DEMO_WORDPRESS });
  assert.equal(rejected.status, 422);
  assert.match(
    rejected.text,
    /id="baseUrl-help" role="alert">[^<]*leads to another site, [^<]*would receive your password/,
  );
  const { username, applicationPassword } = DEMO_WORDPRESS;
  assert.match(rejected.text, new RegExp(`value="${username}"`));
  assert.ok(!rejected.text.includes(applicationPassword));

  const wordpress = await visitor.send(`${site}/new`, {
    platform: 'wordpress',
    baseUrl: `${world.sandboxUrl}/wordpress`,
    ...DEMO_WORDPRESS,
  });
  assert.equal(wordpress.location, site, wordpress.text);
  assert.match((await visitor.get(`${site}/new?platform=ghost`)).text, /This replaces/);
  const ghost = await visitor.send(`${site}/new`, {
    platform: 'ghost',
    baseUrl: `${world.sandboxUrl}/ghost-site`,
    adminKey: DEMO_GHOST_KEY,
  });
  assert.equal(ghost.location, site, ghost.text);
  assert.match((await visitor.get(CONNECTIONS)).text, /aria-label="Manage Ghost"/);
});

test('a refused connection shows the reason and is reconnected with the stored or with a new credential', async () => {
  const visitor = await openVisitor(world.api, 'is-refused');
  await connectForem(visitor);
  const until = new Date(Date.now() + 3_600_000);
  const refuse = () =>
    world.api.db
      .updateTable('connections')
      .set({ status: 'unauthorised', statusReason: 'The key <was> revoked.', blockedUntil: until })
      .where('userId', '=', visitor.userId)
      .execute();
  await refuse();
  const page = (await visitor.get(FOREM)).text;
  assert.match(page, />Refused<[\s\S]*>Paused<[\s\S]*The key &lt;was&gt; revoked\.[\s\S]*nothing is sent before <time/);
  assert.match((await visitor.get('/desk/settings')).text, /1 refused/);
  assert.equal((await visitor.send(`${FOREM}/test`)).location, FOREM);
  assert.match((await visitor.get(FOREM)).text, /accepted the credential[\s\S]*>Active</);

  await refuse();
  const wrong = await visitor.send(`${FOREM}/reconnect`, { apiKey: 'expired-secret-key' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /id="apiKey-help" role="alert"/);
  assert.doesNotMatch(wrong.text, /expired-secret-key/);
  assert.equal((await visitor.send(`${FOREM}/reconnect`, { apiKey: SECOND_FOREM_KEY })).location, FOREM);
  assert.match((await visitor.get(FOREM)).text, />Active<[\s\S]*@second/);
});
