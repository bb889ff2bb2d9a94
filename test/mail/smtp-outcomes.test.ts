/** Maps each response of an SMTP server to the outcome of the mail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendTo, startScriptedServer } from './support/scripted-server.ts';
import { MAIL, readReason, type SmtpBehaviour, sendOnce, smtpError, testMailer } from './support/smtp.ts';

const rcpt = (code: number, text: string): SmtpBehaviour => ({
  options: { onRcptTo: (_address, _session, callback) => callback(smtpError(code, text)) },
});

test('a permanent rejection of the recipient rejects the recipient, and nothing is recorded', async () => {
  for (const [code, text] of [
    [550, '5.1.1 no such user'],
    [554, '5.1.1 no such user'],
    [550, 'User unknown'],
  ] as const) {
    const { outcome, records } = await sendOnce(rcpt(code, text));
    assert.equal(outcome.kind === 'refused' && outcome.cause, text.startsWith('5') ? 'recipient' : 'unclear', text);
    assert.match(readReason(outcome), new RegExp(String(code)));
    assert.equal(records, 0);
  }
});

test('a rejection of our sender or login is not a bounce', async () => {
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

test('a permanent rejection by a server’s policy rejects this mail, not the address', async () => {
  for (const [code, text] of [
    [554, '5.7.1 Service unavailable; Client host [192.0.2.1] blocked using a list'],
    [550, '5.7.26 Unauthenticated mail is not accepted'],
    [554, 'Transaction failed'],
  ] as const) {
    const { outcome, records } = await sendOnce(rcpt(code, text));
    assert.equal(outcome.kind === 'refused' && outcome.cause, 'message', text);
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
    assert.match(readReason(outcome), /no such user/);
    assert.ok(!readReason(outcome).toLowerCase().includes(MAIL.to.address.toLowerCase()), readReason(outcome));
  }
});

test('a reason never contains the ASCII form of an international address', async (t) => {
  const repeating = await startScriptedServer(t, (line) =>
    line.startsWith('RCPT TO:') ? `550 5.1.1 ${line.slice(8)}: no such user\r\n` : '250 ok\r\n',
  );
  const mailer = testMailer(repeating.url);
  const to = { name: 'Ada', address: 'ada@bücher.example' };
  const reason = readReason(await mailer.send({ ...MAIL, to }, { beforeLastByte: async () => undefined }));
  await mailer.close();
  assert.match(repeating.received(), /ada@xn--bcher-kva\.example/);
  assert.match(reason, /no such user/);
  assert.doesNotMatch(reason, /ada@/i);
});

test('a temporary rejection of the recipient or of the message is unavailable', async () => {
  assert.equal((await sendOnce(rcpt(451, '4.7.1 greylisted'))).outcome.kind, 'unavailable');
  for (const code of [421, 451, 452]) {
    const { outcome, records } = await sendOnce({ atEnd: () => smtpError(code, 'later') });
    assert.equal(outcome.kind, 'unavailable', String(code));
    assert.equal(records, 1);
  }
});

test('a permanent rejection of the message rejects the message', async () => {
  const spam = await sendOnce({ atEnd: () => smtpError(554, '5.7.1 looks like spam') });
  assert.equal(spam.outcome.kind === 'refused' && spam.outcome.cause, 'message');
  const missingMailbox = await sendOnce({ atEnd: () => smtpError(550, '5.1.1 no such user after all') });
  assert.equal(missingMailbox.outcome.kind === 'refused' && missingMailbox.outcome.cause, 'recipient');
});

test('a missing server, or one without SMTP, is unavailable', async (t) => {
  const mailer = testMailer('smtp://127.0.0.1:1');
  const outcome = await mailer.send(MAIL, { beforeLastByte: async () => undefined });
  assert.equal(outcome.kind, 'unavailable');
  const web = await startScriptedServer(t, () => 'HTTP/1.1 400 Bad Request\r\n\r\n', 'HTTP/1.1 200 OK\r\n');
  assert.equal((await sendTo(web, async () => undefined)).outcome.kind, 'unavailable');
});
