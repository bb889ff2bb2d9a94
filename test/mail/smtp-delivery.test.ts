import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import PostalMime from 'postal-mime';
import { chooseMailer } from '../../mail/choose-mailer.ts';
import { buildDigestHeaders, buildDigestMessageId, renderDigest } from '../../mail/digest/render.ts';
import { listStoredMails } from '../../mail/folder-mailer.ts';
import type { Mail } from '../../mail/mailer.ts';
import { parseMailbox } from '../../mail/smtp/address.ts';
import { readShared, sharedPath } from '../support/shared-data.ts';
import { HOSTILE_TEXTS, hostileDigest, ordinaryDigest } from './support/digests.ts';
import { startSmtp, testMailer } from './support/smtp.ts';

const commit = { beforeLastByte: async () => undefined };
const crlf = sharedPath('hostile/crlf.txt');

function mailWith(more: Partial<Mail> = {}): Mail {
  return {
    to: { name: 'Ada', address: 'ada@example.org' },
    subject: 'Your week',
    html: '<p>Views <b>7</b></p>',
    text: 'Views 7\n',
    messageId: '<digest.1.2026-11-16@courant.example>',
    headers: {},
    ...more,
  };
}

test('a digest arrives complete, as HTML and as text, with the headers to unsubscribe', async (t) => {
  const smtp = await startSmtp();
  const mailer = testMailer(smtp.url);
  t.after(async () => {
    await mailer.close();
    await smtp.close();
  });
  const content = ordinaryDigest();
  content.author.name = 'Zoë Müller-Ξ 山田';
  const { subject, html, text } = await renderDigest(content);
  const outcome = await mailer.send(
    {
      to: { name: content.author.name, address: 'zoe@example.org' },
      subject,
      html,
      text,
      messageId: buildDigestMessageId({ userId: '42', date: '2026-11-16', siteUrl: content.siteUrl }),
      headers: buildDigestHeaders(content),
    },
    commit,
  );
  assert.deepEqual(outcome, { kind: 'sent' });
  const [received] = smtp.mails;
  assert.deepEqual([received?.from, received?.to], ['digest@courant.example', ['zoe@example.org']]);
  const parsed = await PostalMime.parse(received?.source ?? '');
  assert.equal(parsed.html?.trimEnd(), html.trimEnd());
  assert.equal(parsed.text?.trimEnd(), text.trimEnd());
  assert.equal(parsed.subject, subject);
  assert.deepEqual(parsed.to, [{ name: 'Zoë Müller-Ξ 山田', address: 'zoe@example.org' }]);
  assert.equal(parsed.messageId, '<digest.42.2026-11-16@courant.example>');
  assert.equal(parsed.date, '2026-11-16T07:00:00.000Z');
  const header = (key: string) => parsed.headers.filter((one) => one.key === key).map(({ value }) => value);
  assert.deepEqual(header('list-unsubscribe'), [`<${content.unsubscribeUrl}>`]);
  assert.deepEqual(header('list-unsubscribe-post'), ['List-Unsubscribe=One-Click']);
  assert.deepEqual(header('list-id'), ['Digest for authors <digest.courant.example>']);
  assert.deepEqual(header('auto-submitted'), ['auto-generated']);
  assert.deepEqual(header('content-type')[0]?.split(';')[0], 'multipart/alternative');
  // The address is on one line, because many mail programs read it without unfolding.
  assert.ok(received?.source.includes(`<${content.unsubscribeUrl}>`));
});

test('single dots, long lines and eight-bit letters arrive unchanged, in lines that any server accepts', async (t) => {
  const smtp = await startSmtp();
  const mailer = testMailer(smtp.url);
  t.after(async () => {
    await mailer.close();
    await smtp.close();
  });
  const text = `.\n..\n.hidden\n\n.\n${'x'.repeat(5_000)}\n${'ä'.repeat(2_000)}\nFrom here\n`;
  const html = `<p>.\n.</p><p>${'long '.repeat(900)}</p><p>${'€'.repeat(3_000)}</p>`;
  assert.deepEqual(await mailer.send(mailWith({ text, html }), commit), { kind: 'sent' });
  const parsed = await PostalMime.parse(smtp.mails[0]?.source ?? '');
  assert.equal(parsed.text?.trimEnd(), text.trimEnd());
  assert.equal(parsed.html?.trimEnd(), html);
  for (const line of smtp.mails[0]?.source.split('\r\n') ?? []) assert.ok(Buffer.byteLength(line) <= 998);
  assert.doesNotMatch(smtp.mails[0]?.source ?? '', /[^\r]\n|\r[^\n]/);
});

/**
 * Sends a mail with hostile text in every header: the recipient's name, the subject, our own
 * header.
 */
async function sendEverywhere(t: { after(fn: () => Promise<void>): void }, texts: readonly string[]) {
  const smtp = await startSmtp();
  const mailer = testMailer(smtp.url);
  t.after(async () => {
    await mailer.close();
    await smtp.close();
  });
  const plain = await startSmtp();
  const reference = testMailer(plain.url);
  t.after(async () => {
    await reference.close();
    await plain.close();
  });
  await reference.send(mailWith({ headers: { 'X-Title': 'plain' } }), commit);
  const expected = (await PostalMime.parse(plain.mails[0]?.source ?? '')).headers.map(({ key }) => key).sort();
  for (const text of texts) {
    const mail = mailWith({
      to: { name: text, address: 'ada@example.org' },
      subject: text,
      headers: { 'X-Title': text },
    });
    assert.deepEqual(await mailer.send(mail, commit), { kind: 'sent' });
    const received = smtp.mails.at(-1);
    assert.deepEqual(received?.to, ['ada@example.org'], text);
    const source = received?.source ?? '';
    const parsed = await PostalMime.parse(source);
    assert.deepEqual(parsed.headers.map(({ key }) => key).sort(), expected, text);
    assert.deepEqual([parsed.to?.length, parsed.cc, parsed.bcc], [1, undefined, undefined], text);
    const head = source.slice(0, source.indexOf('\r\n\r\n'));
    assert.doesNotMatch(head, /[^\x20-\x7e\r\n\t]/, text);
    assert.doesNotMatch(head, /^(bcc|set-cookie):/im, text);
  }
}

test('no name, title or header text adds a header or a recipient (A21)', async (t) => {
  await sendEverywhere(t, [
    ...HOSTILE_TEXTS,
    'Hi\nBcc: v@example.org\n\nbody',
    'Ada" <evil@example.org>, "Bob',
    'group: a@example.org, b@example.org;',
    '=?utf-8?Q?Hi=0D=0ABcc:_v@example.org?=',
    'a\u000bBcc: v@example.org\u000cBcc: v@example.org',
  ]);
});

test('common line break injections add no header or recipient (A21)', { skip: crlf.skip }, async (t) => {
  const lines = readShared('hostile/crlf.txt').split('\n').filter(Boolean);
  const decoded = lines.map((line) => unescape(line));
  await sendEverywhere(t, [...lines, ...decoded]);
});

test('an address that is not exactly one plain address is rejected before a server receives it (A21)', async (t) => {
  const smtp = await startSmtp();
  const mailer = testMailer(smtp.url);
  t.after(async () => {
    await mailer.close();
    await smtp.close();
  });
  for (const address of [
    'a:b@example.org;',
    'a:b:c@example.org;;',
    'undisclosed-recipients:;',
    'a@example.org, b@example.org',
    'a@example.org;b@example.org',
    '<a@example.org>',
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org\rRCPT TO:<b@example.org>',
    'a@example.org\u0000',
    'a@exam\u2028ple.org',
    'a b@example.org',
    '"a b"@example.org',
    '"x\\"@evil.example"@example.org',
    'a(comment)@example.org',
    '@evil.example:a@example.org',
    'a@b@example.org',
    'a@[127.0.0.1]',
    'a.@example.org',
    'a@example..org',
    'a@-example.org',
    'nobody',
    '',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b'.repeat(260)}.org`,
  ]) {
    const outcome = await mailer.send(mailWith({ to: { name: 'x', address } }), commit);
    assert.equal(outcome.kind === 'refused' && outcome.cause, 'recipient', JSON.stringify(address));
  }
  assert.equal(smtp.connections, 0);
  const plus = await mailer.send(mailWith({ to: { name: '', address: "o'neil+news@sub.example.org" } }), commit);
  assert.deepEqual(plus, { kind: 'sent' });
  assert.deepEqual(smtp.mails[0]?.to, ["o'neil+news@sub.example.org"]);
});

test('a digest with script in every title arrives without any (A8)', async (t) => {
  const smtp = await startSmtp();
  const mailer = testMailer(smtp.url);
  t.after(async () => {
    await mailer.close();
    await smtp.close();
  });
  const { subject, html, text } = await renderDigest(hostileDigest(HOSTILE_TEXTS.join('')));
  await mailer.send(mailWith({ subject, html, text }), commit);
  const parsed = await PostalMime.parse(smtp.mails[0]?.source ?? '');
  assert.doesNotMatch(parsed.html ?? '', /<(script|svg|img)|javascript:/i);
});

test('the sender is parsed from its usual forms, and everything else is rejected', () => {
  const expected = { name: 'Courant', address: 'digest@courant.example' };
  for (const text of [
    'Courant <digest@courant.example>',
    '"Courant" <digest@courant.example>',
    ' Courant  < digest@courant.example > ',
  ]) {
    assert.deepEqual(parseMailbox(text), expected, text);
  }
  assert.deepEqual(parseMailbox('digest@courant.example'), { ...expected, name: '' });
  for (const text of [
    '',
    'Courant',
    'a@b, c@d',
    'A <a@b>, B <c@d>',
    'a:b@c;',
    '<>',
    'A <a@b> x',
    'A <a@b\r\nBcc: c@d>',
  ]) {
    assert.equal(parseMailbox(text), null, text);
  }
});

test('without SMTP_URL mails are stored, with it they are sent; the default sender is the site', async (t) => {
  const smtp = await startSmtp();
  const home = await mkdtemp(join(tmpdir(), 'courant-mail-'));
  const config = { home, mailFrom: undefined, baseUrl: 'http://localhost:3000', now: () => new Date() };
  const [sending, storing] = [
    chooseMailer({ ...config, smtpUrl: smtp.url }),
    chooseMailer({ ...config, smtpUrl: undefined }),
  ];
  t.after(async () => {
    await sending.close();
    await smtp.close();
    await rm(home, { recursive: true });
  });
  assert.deepEqual(await sending.send(mailWith(), commit), { kind: 'sent' });
  assert.deepEqual(await storing.send(mailWith(), commit), { kind: 'sent' });
  assert.equal(smtp.mails[0]?.from, 'digest@localhost');
  assert.equal((await listStoredMails(join(home, 'mail'))).length, 1);
  for (const [mailFrom, baseUrl, from] of [
    [undefined, 'https://blog.example:8443', 'Courant <digest@blog.example>'],
    ['News <news@blog.example>', 'https://other.example', 'News <news@blog.example>'],
    [undefined, 'http://[::1]:3000', 'Courant <digest@localhost>'],
  ] as const) {
    await rm(join(home, 'mail'), { recursive: true });
    await chooseMailer({ ...config, mailFrom, baseUrl, smtpUrl: undefined }).send(mailWith(), commit);
    const [stored] = await listStoredMails(join(home, 'mail'));
    assert.equal(stored?.headers.From, from);
  }
});
