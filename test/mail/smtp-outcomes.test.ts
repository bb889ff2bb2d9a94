import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import type { Mail, MailOutcome } from '../../mail/mailer.ts';
import { parseSmtpUrl } from '../../mail/smtp/address.ts';
import { buildPoolOptions } from '../../mail/smtp/smtp-mailer.ts';
import { type SmtpBehaviour, smtpError, startSmtp, testMailer } from './support/smtp.ts';

const MAIL: Mail = {
  to: { name: 'Ada', address: 'ada@example.org' },
  subject: 'Your week',
  html: `<p>${'Views. '.repeat(5_000)}</p>`,
  text: 'Views 7\n',
  messageId: '<digest.1.2026-11-16@courant.example>',
  headers: {},
};

/** Sends one mail to a server with this behaviour; returns the outcome and how often the record was written. */
async function sendOnce(behaviour: SmtpBehaviour, url?: (url: string) => string) {
  const smtp = await startSmtp(behaviour);
  const mailer = testMailer(url?.(smtp.url) ?? smtp.url);
  let records = 0;
  const outcome = await mailer.send(MAIL, {
    beforeLastByte: async () => {
      records += 1;
    },
  });
  await mailer.close();
  await smtp.close();
  return { outcome, records, smtp };
}

const reason = (outcome: MailOutcome) => ('reason' in outcome ? outcome.reason : '');

test('the record is written once, after 354 and before the server has the end of the message', async (t) => {
  const order: string[] = [];
  const smtp = await startSmtp({
    atEnd: () => {
      order.push('end of data');
      return null;
    },
    options: {
      onRcptTo(_address, _session, callback) {
        order.push('recipient');
        callback();
      },
    },
  });
  const mailer = testMailer(smtp.url);
  t.after(async () => {
    await mailer.close();
    await smtp.close();
  });
  for (let round = 0; round < 3; round++) {
    const outcome = await mailer.send(MAIL, {
      beforeLastByte: async () => {
        order.push('record begins');
        // Longer than a round trip on this machine: the end would have arrived by then.
        await new Promise((resolve) => setTimeout(resolve, 50));
        order.push('record ends');
      },
    });
    assert.deepEqual(outcome, { kind: 'sent' });
  }
  assert.deepEqual(order, Array(3).fill(['recipient', 'record begins', 'record ends', 'end of data']).flat());
  assert.equal(smtp.connections, 1);
});

test('if the record cannot be written, the mail is not sent', async (t) => {
  const smtp = await startSmtp();
  const mailer = testMailer(smtp.url);
  t.after(async () => {
    await mailer.close();
    await smtp.close();
  });
  const outcome = await mailer.send(MAIL, { beforeLastByte: () => Promise.reject(new Error('database away')) });
  assert.equal(outcome.kind, 'unavailable');
  assert.equal(smtp.mails.length, 0);
  assert.deepEqual(await mailer.send(MAIL, { beforeLastByte: async () => undefined }), { kind: 'sent' });
  assert.equal(smtp.mails.length, 1);
});

const rcpt = (code: number, text: string): SmtpBehaviour => ({
  options: { onRcptTo: (_address, _session, callback) => callback(smtpError(code, text)) },
});

test('a final refusal of the recipient is one, and nothing was recorded', async () => {
  for (const [code, text] of [
    [550, '5.1.1 no such user'],
    [552, '5.2.2 mailbox full for good'],
    [553, 'not allowed'],
    [550, 'User unknown'],
    [550, '5.4.1 Recipient address rejected: Access denied'],
    [554, '5.1.1 no such user'],
  ] as const) {
    const { outcome, records } = await sendOnce(rcpt(code, text));
    assert.equal(outcome.kind === 'refused' && outcome.of, 'recipient', text);
    assert.match(reason(outcome), new RegExp(String(code)));
    assert.equal(records, 0);
  }
});

test('a refusal that is about us and not about the recipient is not a bounce', async () => {
  for (const behaviour of [
    rcpt(550, '5.7.1 Relaying denied'),
    rcpt(554, 'relay access denied'),
    rcpt(550, '5.1.8 Sender address rejected: Domain not found'),
    rcpt(530, '5.7.0 authentication required'),
    { options: { onMailFrom: (_address, _session, callback) => callback(smtpError(550, 'sender unknown')) } },
    { options: { onConnect: (_session, callback) => callback(smtpError(554, 'your address is on a list')) } },
  ] satisfies SmtpBehaviour[]) {
    const { outcome, records } = await sendOnce(behaviour);
    assert.equal(outcome.kind, 'unavailable', JSON.stringify(outcome));
    assert.equal(records, 0);
  }
});

test('a final refusal by a server’s policy refuses this mail, not the address', async () => {
  for (const [code, text] of [
    [554, '5.7.1 Service unavailable; Client host [192.0.2.1] blocked using a list'],
    [550, '5.7.26 Unauthenticated mail is not accepted'],
    [554, 'Transaction failed'],
  ] as const) {
    const { outcome, records } = await sendOnce(rcpt(code, text));
    assert.equal(outcome.kind === 'refused' && outcome.of, 'message', text);
    assert.equal(records, 0);
  }
});

test('a reason never contains the address of the mail', async () => {
  const repeats = (code: number): SmtpBehaviour => ({
    options: {
      onRcptTo: ({ address }, _session, callback) =>
        callback(smtpError(code, `<${address}>, ${address.toUpperCase()}: no such user`)),
    },
  });
  for (const code of [450, 550]) {
    const { outcome } = await sendOnce(repeats(code));
    assert.match(reason(outcome), /no such user/);
    assert.ok(!reason(outcome).toLowerCase().includes(MAIL.to.address.toLowerCase()), reason(outcome));
  }
});

test('a temporary refusal of the recipient or of the message is unavailable', async () => {
  assert.equal((await sendOnce(rcpt(451, '4.7.1 greylisted'))).outcome.kind, 'unavailable');
  for (const code of [421, 451, 452]) {
    const { outcome, records } = await sendOnce({ atEnd: () => smtpError(code, 'later') });
    assert.equal(outcome.kind, 'unavailable', String(code));
    assert.equal(records, 1);
  }
});

test('a final refusal of the message is one of the message', async () => {
  const spam = await sendOnce({ atEnd: () => smtpError(554, '5.7.1 looks like spam') });
  assert.equal(spam.outcome.kind === 'refused' && spam.outcome.of, 'message');
  const gone = await sendOnce({ atEnd: () => smtpError(550, '5.1.1 no such user after all') });
  assert.equal(gone.outcome.kind === 'refused' && gone.outcome.of, 'recipient');
});

test('a connection cut after the end of the data leaves the outcome unknown, and the mail is not sent again', async () => {
  let ends = 0;
  const { outcome, records, smtp } = await sendOnce({
    atEnd: () => {
      ends += 1;
      return 'cut';
    },
  });
  assert.equal(outcome.kind, 'unknown');
  assert.deepEqual([records, ends, smtp.connections], [1, 1, 1]);
});

test('the same on a connection that has sent mails before', async (t) => {
  let ends = 0;
  const smtp = await startSmtp({ atEnd: () => (++ends === 2 ? 'cut' : null) });
  const mailer = testMailer(smtp.url);
  t.after(async () => {
    await mailer.close();
    await smtp.close();
  });
  const send = () => mailer.send(MAIL, { beforeLastByte: async () => undefined });
  assert.equal((await send()).kind, 'sent');
  assert.equal((await send()).kind, 'unknown');
  assert.equal((await send()).kind, 'sent');
  assert.equal(ends, 3);
});

test('a connection cut in the middle of the data is unavailable: the server never had the end', async (t) => {
  const server = scripted(t, (line, socket) => {
    if (line === 'DATA') return '354 go on\r\n';
    if (line.includes('multipart/alternative')) socket.destroy();
    return /^(EHLO|MAIL|RCPT|RSET)/.test(line) ? '250 ok\r\n' : '';
  });
  let records = 0;
  const long = { ...MAIL, html: 'long '.repeat(4_000_000) };
  const mailer = testMailer((await server).url);
  const outcome = await mailer.send(long, { beforeLastByte: async () => void records++ });
  await mailer.close();
  assert.equal(outcome.kind, 'unavailable');
  assert.equal(records, 0);
});

test('a server that disconnects while the record is being written did not get the mail', async (t) => {
  let client: Socket | undefined;
  const server = scripted(t, (line, socket) => {
    client = socket;
    if (line === 'DATA') return '354 go on\r\n';
    return /^(EHLO|MAIL|RCPT|RSET)/.test(line) ? '250 ok\r\n' : '';
  });
  const { outcome, received } = await sendTo(await server, async () => {
    client?.destroy();
    await new Promise((resolve) => client?.once('close', resolve));
    await new Promise((resolve) => setTimeout(resolve, 30));
  });
  assert.equal(outcome.kind, 'unavailable');
  assert.doesNotMatch(received(), /^\.$/m);
});

test('an answer before the end of the data counts, and the end is not sent', async (t) => {
  const server = scripted(t, (line) => {
    if (line === 'DATA') return '354 go on\r\n552 5.3.4 too large\r\n';
    return /^(EHLO|MAIL|RCPT)/.test(line) ? '250 ok\r\n' : '';
  });
  const { outcome, received } = await sendTo(await server, () => new Promise((resolve) => setTimeout(resolve, 50)));
  assert.equal(outcome.kind, 'refused');
  assert.doesNotMatch(received(), /^\.$/m);
});

test('if a server accepts the end and does not answer, the outcome is unknown after the time-out', async (t) => {
  const server = scripted(t, (line) => {
    if (line === 'DATA') return '354 go on\r\n';
    return /^(EHLO|MAIL|RCPT|RSET)/.test(line) ? '250 ok\r\n' : '';
  });
  const { outcome, received } = await sendTo(await server, async () => undefined, { socketTimeout: 200 });
  assert.equal(outcome.kind, 'unknown');
  assert.match(received(), /^\.$/m);
});

test('a mail cancelled before the end is unavailable, after it unknown', async (t) => {
  const server = await scripted(t, (line) => {
    if (line === 'DATA') return '354 go on\r\n';
    return /^(EHLO|MAIL|RCPT|RSET)/.test(line) ? '250 ok\r\n' : '';
  });
  const early = new AbortController();
  const before = await sendTo(server, async () => early.abort(), {}, early.signal);
  assert.equal(before.outcome.kind, 'unavailable');
  const late = new AbortController();
  server.onDot = () => late.abort();
  const after = await sendTo(server, async () => undefined, {}, late.signal);
  assert.equal(after.outcome.kind, 'unknown');
});

test('no server, or one that does not speak SMTP, is unavailable', async (t) => {
  const mailer = testMailer('smtp://127.0.0.1:1');
  const outcome = await mailer.send(MAIL, { beforeLastByte: async () => undefined });
  assert.equal(outcome.kind, 'unavailable');
  const web = await scripted(t, () => 'HTTP/1.1 400 Bad Request\r\n\r\n', 'HTTP/1.1 200 OK\r\n');
  assert.equal((await sendTo(web, async () => undefined)).outcome.kind, 'unavailable');
});

test('a process that is killed while it writes the record has sent nothing', async (t) => {
  const smtp = await startSmtp();
  t.after(() => smtp.close());
  const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const script = `
    import { writeSync } from 'node:fs';
    const { testMailer } = await import(${module('./support/smtp.ts')});
    await testMailer(${JSON.stringify(smtp.url)}).send(${JSON.stringify(MAIL)}, {
      beforeLastByte: () => new Promise(() => writeSync(1, 'recording')),
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  assert.equal(said.toString(), 'recording');
  const ended = once(smtp.events, 'disconnected');
  child.kill('SIGKILL');
  await Promise.all([exited, ended]);
  assert.equal(smtp.mails.length, 0);
});

test('a server with an untrusted certificate gets nothing; with a trusted one it gets the mail', async (t) => {
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
        onAuth: ({ password: given }, _session, callback) => callback(smtpError(535, `wrong: ${given}`)),
      },
    },
    (url) => url.replace('//', `//me:${encodeURIComponent(password)}@`),
  );
  assert.equal(outcome.kind, 'unavailable');
  assert.match(reason(outcome), /login.*535/);
  assert.ok(!reason(outcome).includes(password));
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
  assert.ok(!reason(outcome).includes('s3cret') && !reason(outcome).includes('czNjcmV0'), reason(outcome));
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

test('a remote server without TLS gets neither login nor mail', {
  skip: elsewhere ? false : 'this machine has no address but its own',
}, async (t) => {
  const server = await scripted(
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

interface Scripted {
  url: string;
  received: () => string;
  onDot: () => void;
}

/** A server that answers line by line as the test says, for what a correct one never does. */
async function scripted(
  t: { after(fn: () => void): void },
  answer: (line: string, socket: Socket) => string,
  greeting = '220 hello\r\n',
  host = '127.0.0.1',
): Promise<Scripted> {
  let received = '';
  const sockets = new Set<Socket>();
  const scriptedServer: Scripted = { url: '', received: () => received, onDot: () => undefined };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write(greeting);
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        received += `${line}\n`;
        if (line === '.') scriptedServer.onDot();
        const text = answer(line, socket);
        if (text !== '' && !socket.destroyed) socket.write(text);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  scriptedServer.url = `smtp://127.0.0.1:${(server.address() as { port: number }).port}`;
  return scriptedServer;
}

async function sendTo(
  server: Scripted,
  beforeLastByte: () => Promise<void>,
  pool: { socketTimeout?: number } = {},
  signal?: AbortSignal,
) {
  const mailer = testMailer(server.url, { pool });
  const outcome = await mailer.send(MAIL, { beforeLastByte, ...(signal ? { signal } : {}) });
  await mailer.close();
  return { outcome, received: server.received };
}
