/** The MIME form of a mail, and which addresses and servers are accepted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import PostalMime from 'postal-mime';
import { wrapMailText } from '../../mail/clean-text.ts';
import { composeMail, refuseAddress } from '../../mail/compose.ts';
import { isMailAddress, parseMailbox, parseSmtpUrl } from '../../mail/smtp/address.ts';
import { buildPoolOptions } from '../../mail/smtp/smtp-mailer.ts';
import { FROM, MAIL } from './support/smtp.ts';

const long = (length: number) => 'x'.repeat(length);

test('a mail has these headers, and each value is at most as long as mail programs accept', async () => {
  const mail = {
    ...{ to: { name: long(101), address: 'ada@example.org' }, subject: long(201), html: '<p>ä</p>', text: 'ä\nb\n' },
    ...{ messageId: `<${long(250)}>`, headers: { 'X-One': long(900), 'X-Two': long(901), 'X-Three': 'a\r\nb' } },
  };
  const { envelope, message } = await composeMail(mail, { ...FROM, name: long(100) }, new Date('2026-11-16T07:00:00Z'));
  assert.deepEqual(envelope, { from: FROM.address, to: 'ada@example.org' });
  const { headers, subject, to, from, date, text, html, messageId } = await PostalMime.parse(message);
  assert.deepEqual(
    { to, from, subject, date },
    {
      to: [{ name: `${long(99)}…`, address: 'ada@example.org' }],
      from: { name: long(100), address: FROM.address },
      subject: `${long(199)}…`,
      date: '2026-11-16T07:00:00.000Z',
    },
  );
  assert.deepEqual([text, html], ['ä\nb\n\n', '<p>ä</p>\n']);
  assert.equal(messageId?.length, 251);
  assert.deepEqual(headers.map(({ key }) => key).sort(), [
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
    'x-one',
    'x-three',
    'x-two',
  ]);
  const read = (key: string) => headers.find((header) => header.key === key)?.value;
  assert.deepEqual([read('x-one'), read('x-three')], [long(900), 'a b']);
  assert.match(read('x-two') ?? '', /^=\?UTF-8\?.*=E2=80=A6\?=$/, 'it ends with an ellipsis');
  const source = message.toString();
  assert.equal(source.match(/^Content-Transfer-Encoding: quoted-printable\r$/gm)?.length, 2);
  assert.doesNotMatch(source, /format=flowed|[^\r]\n/);
});

test('a mail never reads files or addresses that its text names', async () => {
  const { message } = await composeMail({ ...MAIL, html: { path: '/etc/hostname' } as never }, FROM, new Date()).catch(
    (error: Error) => ({ message: Buffer.from(error.message) }),
  );
  assert.match(message.toString(), /File access rejected/);
  const remote = composeMail({ ...MAIL, html: { href: 'http://127.0.0.1:9/' } as never }, FROM, new Date());
  await assert.rejects(remote, /Url access rejected/);
});

test('a mail without exactly one recipient is rejected with a reason', () => {
  assert.equal(refuseAddress(MAIL), null);
  const reason = 'the address cannot receive mail';
  assert.deepEqual(refuseAddress({ ...MAIL, to: { name: '', address: 'a, b@example.org' } }), {
    ...{ kind: 'refused', reason, cause: 'recipient' },
  });
});

test('an address has a local part of 64 and a total of 254 characters, in any script', () => {
  const domain = (length: number) => `${long(length - 4)}.org`;
  for (const address of [
    `${long(64)}@example.org`,
    `a@${domain(252)}`,
    'a.b.c@d',
    "!#$%&'*+/=?^_`{|}~-@example.org",
    'дмитрий@почта.рф',
    'e\u0301@e\u0301.example',
    '1@2.3',
    'a@b-c.d--e.f',
  ]) {
    assert.equal(isMailAddress(address), true, address);
  }
  for (const address of [
    `${long(65)}@example.org`,
    `a@${domain(253)}`,
    '.a@example.org',
    'a.@example.org',
    'a..b@example.org',
    'a@example.org.',
    'a@.example.org',
    'a@example-.org',
    'a@example.-org',
    'a@exa_mple.org',
    'a@',
    '@b',
    ' a@b',
    'a@b ',
    'a\n@b',
    '\ud800@b',
    'a,b@c',
    'a@b,c',
  ]) {
    assert.equal(isMailAddress(address), false, address);
  }
});

test('a sender has a name of 100 characters at most, without its quotation marks', () => {
  assert.deepEqual(parseMailbox(`${long(101)} <a@b>`), { name: `${long(99)}…`, address: 'a@b' });
  assert.deepEqual(parseMailbox('"A "B" C" <a@b>'), { name: 'A "B" C', address: 'a@b' });
  assert.deepEqual(parseMailbox('A" <a@b>'), { name: 'A"', address: 'a@b' });
  assert.deepEqual(parseMailbox('<a@b>'), { name: '', address: 'a@b' });
  for (const text of ['x> <a@b>', '<a@b> <c@d>', '<<a@b>>', 'a@b>']) assert.equal(parseMailbox(text), null, text);
});

test('a mail server has a host, a port by its protocol, and a login', () => {
  const remote = { auth: undefined, loopback: false };
  const login = (user: string, pass: string) => ({ auth: { user, pass } });
  for (const [url, expected] of [
    ['smtp://mail.example', { ...remote, host: 'mail.example', port: 587, secure: false }],
    ['smtp://mail.example/', { ...remote, host: 'mail.example', port: 587, secure: false }],
    ['smtps://mail.example', { ...remote, host: 'mail.example', port: 465, secure: true }],
    ['smtps://mail.example:2465', { ...remote, host: 'mail.example', port: 2_465, secure: true }],
    ['smtp://mail.example:465', { ...remote, host: 'mail.example', port: 465, secure: true }],
    ['smtp://me@mail.example:25', { ...remote, ...login('me', ''), host: 'mail.example', port: 25, secure: false }],
    [
      'smtp://:p%40ss@mail.example:25',
      { ...remote, ...login('', 'p@ss'), host: 'mail.example', port: 25, secure: false },
    ],
    ['smtp://[::1]:25', { ...remote, host: '::1', port: 25, secure: false, loopback: true }],
    ['smtp://localhost:25', { ...remote, host: 'localhost', port: 25, secure: false, loopback: true }],
    ['smtp://127.9.9.9:25', { ...remote, host: '127.9.9.9', port: 25, secure: false, loopback: true }],
    ['smtp://127.example:25', { ...remote, host: '127.example', port: 25, secure: false }],
    ['smtp://10.0.0.127:25', { ...remote, host: '10.0.0.127', port: 25, secure: false }],
  ] as const) {
    assert.deepEqual(parseSmtpUrl(url), expected, url);
  }
  for (const url of ['xsmtp://h', 'smtpx://h', 'smtp://h#x', 'smtp://me:%E0@h', 'smtp://h/x/', 'smtp:h']) {
    assert.equal(parseSmtpUrl(url), null, url);
  }
});

test('mails share five connections for a hundred mails each, and a server has two minutes to respond', () => {
  const server = parseSmtpUrl('smtp://me:pass@mail.example');
  assert.ok(server);
  assert.deepEqual(buildPoolOptions(server), {
    ...{ pool: true, host: 'mail.example', port: 587, secure: false, auth: { user: 'me', pass: 'pass' } },
    ...{ requireTLS: true, ignoreTLS: false, tls: { minVersion: 'TLSv1.2' } },
    ...{ maxConnections: 5, maxMessages: 100, socketTimeout: 120_000 },
    ...{ connectionTimeout: 10_000, dnsTimeout: 10_000, greetingTimeout: 10_000 },
  });
  assert.equal('auth' in buildPoolOptions({ ...server, auth: undefined }), false);
});

test('text is broken between words before column 73, and a longer word within', () => {
  assert.equal(wrapMailText(`${long(72)} y`), `${long(72)}\ny`);
  assert.equal(wrapMailText(`${long(70)} y z`), `${long(70)} y\nz`);
  assert.equal(wrapMailText(`${long(73)} y`), `${long(72)}\nx y`);
  assert.equal(wrapMailText(`${long(70)} y`, '* '), `* ${long(70)}\n  y`);
  assert.equal(wrapMailText('a  b'), 'a  b');
  assert.equal(wrapMailText('', '* '), '* ');
  assert.equal(wrapMailText('𠀀'.repeat(73)), `${'𠀀'.repeat(72)}\n𠀀`);
});
