/** Development pages of stored mails. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import PostalMime from 'postal-mime';
import { mailRoutes } from '../../../api/notifications/mails/routes.ts';
import { errorPlugin } from '../../../api/web/error-handler.ts';
import { createFolderMailer, listStoredMails, type StoredMail } from '../../../mail/folder-mailer.ts';
import type { Mail } from '../../../mail/mailer.ts';

let home: string;
let app: FastifyInstance;
let base: string;
const FROM = { name: 'Courant', address: 'digest@courant.example' };
const commit = { beforeLastByte: async () => undefined };

before(async () => {
  home = await mkdtemp(join(tmpdir(), 'courant-mails-'));
  app = fastify();
  await app.register(errorPlugin);
  await app.register(mailRoutes, { home, baseUrl: 'http://localhost:3000', smtpUrl: undefined });
  base = await app.listen({ host: '127.0.0.1', port: 0 });
});
after(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

function mailer(at = '2026-11-16T07:00:00Z') {
  return createFolderMailer(join(home, 'mail'), { from: FROM, now: () => new Date(at) });
}

function mailWith(more: Partial<Mail> = {}): Mail {
  return {
    to: { name: 'Ada', address: 'ada@example.org' },
    subject: 'Your <b>week</b>',
    html: '<p>Views <b>7</b></p><script>parent.stolen = true</script>',
    text: 'Views 7 </pre><script>alert(1)</script>\n',
    messageId: '<digest.1.2026-11-16@courant.example>',
    headers: { 'List-Id': 'Digest <digest.courant.example>' },
    ...more,
  };
}

test('the page reports that there are no mails, even without a folder', async () => {
  const response = await fetch(`${base}/dev/mails`);
  assert.equal(response.status, 200);
  const page = await response.text();
  assert.match(page, /<title>Mails · Courant<\/title>/);
  assert.match(
    page,
    /<h1>Mails<\/h1><p>SMTP_URL is not set, so mails are stored here instead of being sent\.<\/p><p>No mail has been sent yet\.<\/p>/,
  );
  assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none';.*; frame-src 'self'$/);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
});

test('a request from another machine is a 404, regardless of host name and forwarded address', async () => {
  const sendRequest = (remoteAddress: string) =>
    app.inject({ url: '/dev/mails', remoteAddress, headers: { host: 'localhost', 'x-forwarded-for': '127.0.0.1' } });
  for (const address of [
    '192.0.2.7',
    '10.0.0.1',
    '2001:db8::1',
    '::ffff:192.0.2.7',
    '1.127.0.0.1',
    '127.0.0.1.5',
    '127.0.0',
    '::11',
  ])
    assert.equal((await sendRequest(address)).statusCode, 404, address);
  for (const address of ['127.0.0.1', '127.255.0.12', '::1', '::ffff:127.0.0.1'])
    assert.equal((await sendRequest(address)).statusCode, 200, address);
});

test('a stored mail equals the mail to send, is readable only by its owner and appears complete', async () => {
  let before: string[] = [];
  const outcome = await mailer().send(mailWith(), {
    beforeLastByte: async () => {
      before = (await listStoredMails(join(home, 'mail'))).map(({ name }) => name).concat(...(await visibleMails()));
    },
  });
  assert.deepEqual(outcome, { kind: 'sent' });
  assert.deepEqual(before, []);
  const [name = '', ...others] = await visibleMails();
  assert.match(name, /^20261116T070000000Z-[0-9a-f]{16}\.eml$/);
  assert.deepEqual(others, []);
  assert.deepEqual((await readdir(join(home, 'mail'))).sort(), [name, name.replace('.eml', '.json')]);
  assert.deepEqual(omitHeaders(await listStoredMails(join(home, 'mail'))), {
    ...{ name, to: 'ada@example.org', date: '2026-11-16T07:00:00.000Z' },
    ...{ subject: mailWith().subject, html: mailWith().html, text: mailWith().text },
  });
  const parsed = await PostalMime.parse(await readFile(join(home, 'mail', name)));
  assert.deepEqual([parsed.subject, parsed.to?.[0]?.address], ['Your <b>week</b>', 'ada@example.org']);
  assert.equal(parsed.html?.trimEnd(), mailWith().html);
  for (const file of await readdir(join(home, 'mail'))) {
    assert.equal((await stat(join(home, 'mail', file))).mode & 0o777, 0o600, file);
  }
  assert.equal((await stat(join(home, 'mail'))).mode & 0o777, 0o700);
});

test('mails are listed newest first; a mail page shows text and headers, and isolates the HTML', async () => {
  await mailer('2026-11-23T07:00:00Z').send(mailWith({ subject: 'Later', messageId: '<b@courant.example>' }), commit);
  const list = await (await fetch(`${base}/dev/mails`)).text();
  assert.ok(list.indexOf('Later') < list.indexOf('Your &lt;b&gt;week'));
  const [, path = ''] = /href="(\/dev\/mails\/[^"]+)">Your/.exec(list) ?? [];
  const shown = await fetch(base + path);
  const body = await shown.text();
  assert.equal(shown.status, 200);
  assert.doesNotMatch(body, /<script>(?:alert|parent)/);
  assert.match(body, /&lt;script&gt;alert\(1\)/);
  assert.match(body, /List-Id: Digest &lt;digest\.courant\.example&gt;/i);
  assert.match(body, /<title>Your &lt;b&gt;week&lt;\/b&gt; · Mails<\/title>/);
  assert.match(body, /<p><a href="\/dev\/mails">All mails<\/a><\/p>/);
  for (const page of [list, body]) {
    assert.match(page, /<p class="byline">ada@example\.org · 2026-11-16 07:00 UTC<\/p>/);
  }
  assert.match(body, /<iframe[^>]* sandbox src="[^"]+\/html"/);
  const json = await fetch(`${base}/dev/mails.json`);
  assert.equal(json.headers.get('cache-control'), 'no-store');
  const [later] = (await json.json()) as StoredMail[];
  assert.deepEqual(Object.keys(later ?? {}), ['to', 'subject', 'headers', 'html', 'text']);
  assert.equal(later?.headers['List-ID'], mailWith().headers['List-Id']);
  assert.equal(later?.subject, 'Later');
  assert.deepEqual([later?.to, later?.text, later?.html], ['ada@example.org', mailWith().text, mailWith().html]);
  const html = await fetch(`${base}${path}/html`);
  assert.equal(await html.text(), mailWith().html);
  const policy = html.headers.get('content-security-policy') ?? '';
  assert.equal(policy, "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'");
});

test('no name reads files outside of the folder or files that are not mails', async () => {
  await mkdir(join(home, 'keys'), { recursive: true });
  await writeFile(join(home, 'keys', 'secret.eml'), 'secret');
  await writeFile(join(home, 'secret.json'), '{"subject":"secret"}');
  await writeFile(join(home, 'mail', 'secret.json'), '{"subject":"secret"}');
  await writeFile(join(home, 'mail', 'secret.eml'), 'secret');
  for (const name of [
    '..%2fsecret.eml',
    '..%2fkeys%2fsecret.eml',
    '%2e%2e%2fkeys%2fsecret.eml',
    '..%5c..%5csecret.eml',
    '%2fetc%2fpasswd',
    'secret.eml',
    'secret.json',
    '.',
    '%00',
    '20261116T070000000Z-0123456789abcdef.eml',
    '20261116T070000000Z-0123456789abcdef.eml%00.eml',
    '20261116T070000000Z-0123456789abcdef.eml%0a',
  ]) {
    for (const suffix of ['', '/html']) {
      const { status, body } = await rawGet(`/dev/mails/${name}${suffix}`);
      assert.ok(status === 404 || status === 400 || name === '.', `${name}${suffix}: ${status}`);
      assert.doesNotMatch(body, /secret(?!\.)/, name);
    }
  }
});

test('the pages do not exist with an SMTP server, with a public address or under another host name', async () => {
  for (const options of [
    { baseUrl: 'http://localhost:3000', smtpUrl: 'smtp://127.0.0.1:25' },
    { baseUrl: 'https://blog.example.org', smtpUrl: undefined },
  ]) {
    const other = fastify();
    await other.register(mailRoutes, { home, ...options });
    const answer = await other.inject({ url: '/dev/mails', headers: { host: 'localhost' } });
    assert.equal(answer.statusCode, 404);
    await other.close();
  }
  assert.equal((await rawGet('/dev/mails', 'rebound.example.org')).status, 404);
  for (const host of ['localhost.example.org', 'alocalhost', '127.0.0.1.example', '1127.0.0.1']) {
    assert.equal((await rawGet('/dev/mails', host)).status, 404, host);
  }
  for (const host of ['127.0.0.1', '[::1]']) assert.equal((await rawGet('/dev/mails', host)).status, 200, host);
});

test('a mail that cannot be stored or recorded is unavailable and leaves no file', async () => {
  const blocked = join(home, 'blocked');
  await writeFile(blocked, 'a file where a folder should be');
  const nowhere = createFolderMailer(blocked, { from: FROM, now: () => new Date() });
  const refused = await nowhere.send(mailWith(), commit);
  assert.match('reason' in refused ? refused.reason : '', /^the mail could not be stored: E(?:EXIST|NOTDIR): /);
  assert.equal(refused.kind, 'unavailable');
  await assert.rejects(listStoredMails(blocked), { code: 'ENOTDIR' });
  const count = (await visibleMails()).length;
  const failing = { beforeLastByte: () => Promise.reject(new Error('database away')) };
  const outcome = await mailer('2026-12-01T00:00:00Z').send(mailWith({ messageId: '<c@courant.example>' }), failing);
  assert.deepEqual(outcome, { kind: 'unavailable', reason: 'the mail could not be stored: database away' });
  const aborted = { ...commit, signal: AbortSignal.abort(new Error('stopping')) };
  const stopped = await mailer('2026-12-02T00:00:00Z').send(mailWith({ messageId: '<d@courant.example>' }), aborted);
  assert.deepEqual(stopped, { kind: 'unavailable', reason: 'the mail could not be stored: stopping' });
  assert.equal((await visibleMails()).length, count);
  assert.deepEqual(
    (await readdir(join(home, 'mail'))).filter((name) => name.endsWith('.draft')),
    [],
  );
  assert.equal((await mailer().send(mailWith({ to: { name: '', address: 'a:b;' } }), commit)).kind, 'refused');
});

test('the names of mails sort by time and differ by recipient; the newest 200 are listed', async () => {
  const folder = join(home, 'many');
  await mkdir(folder);
  for (let n = 0; n < 201; n++) {
    const name = `20261116T070000${String(n).padStart(3, '0')}Z-0123456789abcdef`;
    await writeFile(join(folder, `${name}.eml`), '');
    await writeFile(join(folder, `${name}.json`), JSON.stringify({ subject: String(n) }));
  }
  const subjects = (await listStoredMails(folder)).map(({ subject }) => subject);
  assert.deepEqual([subjects.length, subjects[0], subjects.at(-1)], [200, '200', '1']);
  await rm(join(folder, '20261116T070000200Z-0123456789abcdef.json'));
  assert.equal((await listStoredMails(folder)).length, 199, 'a mail without its parts is not listed');

  const pair = createFolderMailer(join(home, 'pair'), { from: FROM, now: () => new Date('2026-11-16T07:00:00Z') });
  const headers = { 'X-Long': `${'word '.repeat(30)}end: of it` };
  for (const address of ['ada@example.org', 'bob@example.org']) {
    await pair.send(mailWith({ to: { name: '', address }, headers }), commit);
  }
  const stored = await listStoredMails(join(home, 'pair'));
  assert.deepEqual(stored.map(({ to }) => to).sort(), ['ada@example.org', 'bob@example.org']);
  assert.equal(stored[0]?.headers['X-Long'], headers['X-Long']);
  assert.equal(stored[0]?.headers['MIME-Version'], '1.0');
});

function omitHeaders([mail]: StoredMail[]): Partial<StoredMail> {
  const { headers: _, ...parts } = mail ?? { headers: {} };
  return parts;
}

async function visibleMails(): Promise<string[]> {
  return (await readdir(join(home, 'mail')).catch(() => [])).filter((name) => name.endsWith('.eml'));
}

/** Sends the path unchanged, which `fetch` would normalise. */
function rawGet(path: string, host = 'localhost'): Promise<{ status: number; body: string }> {
  const { port } = new URL(base);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    outgoing.on('error', reject).end();
  });
}
