/** Mails and logins cross a network only encrypted, and no reason repeats a password. */
import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { parseSmtpUrl } from '../../mail/smtp/address.ts';
import { buildPoolOptions } from '../../mail/smtp/smtp-mailer.ts';
import { sendTo, startScriptedServer } from './support/scripted-server.ts';
import { MAIL, readReason, sendOnce, smtpError, startSmtp, testMailer } from './support/smtp.ts';

test('a server with an untrusted certificate receives nothing; with a trusted one it receives the mail', async (t) => {
  const options = { secure: true, disabledCommands: ['AUTH'], disableReverseLookup: true };
  const untrusted = await sendOnce({ options }, (url) => url.replace('smtp:', 'smtps:'));
  assert.equal(untrusted.outcome.kind, 'unavailable');
  assert.equal(untrusted.records, 0);
  const smtp = await startSmtp({ options });
  const trusting = testMailer(smtp.url.replace('smtp:', 'smtps:'), { pool: { tls: { rejectUnauthorized: false } } });
  t.after(async () => {
    await trusting.close();
    await smtp.close();
  });
  assert.deepEqual(await trusting.send(MAIL, { beforeLastByte: async () => undefined }), { kind: 'sent' });
  assert.equal(smtp.mails.length, 1);
});

test('a failed login is unavailable, and no reason contains the password', async () => {
  const password = 'p@ss:word/with?signs';
  const { outcome, records } = await sendOnce(
    {
      options: {
        disabledCommands: ['STARTTLS'],
        allowInsecureAuth: true,
        onAuth: ({ password: sent }, _session, callback) => callback(smtpError(535, `wrong: ${sent}`)),
      },
    },
    (url) => url.replace('//', `//me:${encodeURIComponent(password)}@`),
  );
  assert.equal(outcome.kind, 'unavailable');
  assert.match(readReason(outcome), /login.*535/);
  assert.ok(!readReason(outcome).includes(password));
  assert.equal(records, 0);
});

test('a password that a server repeats elsewhere is removed from the reason', async () => {
  const { outcome } = await sendOnce(
    {
      options: {
        disabledCommands: ['STARTTLS'],
        allowInsecureAuth: true,
        onAuth: ({ username }, _session, callback) => callback(null, { user: username ?? '' }),
        onRcptTo: (_address, _session, callback) =>
          callback(smtpError(550, `no: s3cret-word ${Buffer.from('s3cret-word').toString('base64')}`)),
      },
    },
    (url) => url.replace('//', '//me:s3cret-word@'),
  );
  assert.equal(outcome.kind, 'refused');
  assert.ok(!readReason(outcome).includes('s3cret') && !readReason(outcome).includes('czNjcmV0'), readReason(outcome));
});

test('TLS is required except on this machine', async () => {
  const options = (url: string) => {
    const server = parseSmtpUrl(url);
    assert.ok(server, url);
    const { requireTLS, ignoreTLS, secure, tls } = buildPoolOptions(server);
    return { requireTLS, ignoreTLS, secure, unchecked: tls?.rejectUnauthorized === false };
  };
  for (const host of ['mail.example.org', '10.0.0.7', 'localhost.example.org', '128.0.0.1', '[2001:db8::1]']) {
    const expected = { requireTLS: true, ignoreTLS: false, secure: false, unchecked: false };
    assert.deepEqual(options(`smtp://me:pass@${host}`), expected, host);
  }
  const direct = { requireTLS: false, ignoreTLS: false, secure: true, unchecked: false };
  assert.deepEqual(options('smtps://mail.example.org'), direct);
  assert.deepEqual(options('smtp://mail.example.org:465'), direct);
  assert.deepEqual(options('smtps://127.0.0.1:1465'), direct);
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    assert.equal(options(`smtp://${host}:1025`).ignoreTLS, true, host);
  }
  for (const url of [
    'http://mail.example.org',
    'smtp://',
    'smtp://h?tls=no',
    'smtp://h/path',
    'smtp://%E0@h',
    'mail',
    '',
  ]) {
    assert.equal(parseSmtpUrl(url), null, url);
  }
});

const elsewhere = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;

test('a remote server without TLS receives neither login nor mail', {
  skip: elsewhere ? false : 'this machine has no address but its own',
}, async (t) => {
  const server = await startScriptedServer(
    t,
    (line) => (/^(EHLO|AUTH|MAIL|RCPT)/.test(line) ? '250 ok\r\n' : '500 no\r\n'),
    undefined,
    '0.0.0.0',
  );
  server.url = `smtp://me:secret@${elsewhere}:${new URL(server.url).port}`;
  const { outcome, received } = await sendTo(server, async () => undefined);
  assert.equal(outcome.kind, 'unavailable');
  assert.doesNotMatch(received(), /AUTH|MAIL FROM/);
});
