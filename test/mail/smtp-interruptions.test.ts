/**
 * The time of the record, and the outcome of an exchange that is cut or cancelled. Before the last
 * byte, nothing is sent.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { sendTo, startScriptedServer } from './support/scripted-server.ts';
import { MAIL, sendOnce, startSmtp, testMailer } from './support/smtp.ts';

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
        // Longer than a local round trip: the last byte would have arrived.
        await new Promise((resolve) => setTimeout(resolve, 50));
        order.push('record ends');
      },
    });
    assert.deepEqual(outcome, { kind: 'sent' });
  }
  assert.deepEqual(order, Array(3).fill(['recipient', 'record begins', 'record ends', 'end of data']).flat());
  assert.equal(smtp.connections, 1);
});

test('if the record fails, the mail is not sent', async (t) => {
  const smtp = await startSmtp();
  const mailer = testMailer(smtp.url);
  t.after(async () => {
    await mailer.close();
    await smtp.close();
  });
  const outcome = await mailer.send(MAIL, { beforeLastByte: () => Promise.reject(new Error('no database')) });
  assert.equal(outcome.kind, 'unavailable');
  assert.equal(smtp.mails.length, 0);
  assert.deepEqual(await mailer.send(MAIL, { beforeLastByte: async () => undefined }), { kind: 'sent' });
  assert.equal(smtp.mails.length, 1);
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

test('a cut connection that has sent mails before leaves the outcome unknown as well', async (t) => {
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

test('a connection cut in the middle of the data is unavailable: the server never received the end', async (t) => {
  const server = startScriptedServer(t, (line, socket) => {
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

test('a server that disconnects during the record did not receive the mail', async (t) => {
  let client: Socket | undefined;
  const server = startScriptedServer(t, (line, socket) => {
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

test('a response before the end of the data counts, and the end is not sent', async (t) => {
  const server = startScriptedServer(t, (line) => {
    if (line === 'DATA') return '354 go on\r\n552 5.3.4 too large\r\n';
    return /^(EHLO|MAIL|RCPT)/.test(line) ? '250 ok\r\n' : '';
  });
  const { outcome, received } = await sendTo(await server, () => new Promise((resolve) => setTimeout(resolve, 50)));
  assert.equal(outcome.kind, 'refused');
  assert.doesNotMatch(received(), /^\.$/m);
});

test('if a server accepts the end and does not respond, the outcome is unknown after the timeout', async (t) => {
  const server = startScriptedServer(t, (line) => {
    if (line === 'DATA') return '354 go on\r\n';
    return /^(EHLO|MAIL|RCPT|RSET)/.test(line) ? '250 ok\r\n' : '';
  });
  const { outcome, received } = await sendTo(await server, async () => undefined, { socketTimeout: 200 });
  assert.equal(outcome.kind, 'unknown');
  assert.match(received(), /^\.$/m);
});

test('a mail cancelled before the end is unavailable, after it unknown', async (t) => {
  const server = await startScriptedServer(t, (line) => {
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

test('a process that is killed during the record has sent nothing', async (t) => {
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
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  assert.equal(line.toString(), 'recording');
  const ended = once(smtp.events, 'disconnected');
  child.kill('SIGKILL');
  await Promise.all([exited, ended]);
  assert.equal(smtp.mails.length, 0);
});
