/** Classifies permanent rejections of real servers by the table of `mail/smtp/refusals.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSmtpOutcome, type SmtpFailure } from '../../mail/smtp/outcome.ts';
import { sendTo, startScriptedServer } from './support/scripted-server.ts';

type Command = 'MAIL FROM' | 'RCPT TO' | 'DATA';
type Meaning = 'recipient' | 'unclear' | 'message' | 'unavailable';

/** Classifies a response as nodemailer reports it: the lines of a reply joined by line feeds. */
function readMeaning(response: string, command: Command = 'RCPT TO'): Meaning {
  const responseCode = Number(response.slice(0, 3));
  const error = { message: response, response, responseCode, command };
  const outcome = readSmtpOutcome(error, false, []);
  if (outcome.kind === 'unavailable') return 'unavailable';
  assert.equal(outcome.kind, 'refused');
  return outcome.kind === 'refused' ? outcome.cause : assert.fail();
}

const TABLE: readonly [meaning: Meaning, what: string, answers: readonly string[]][] = [
  [
    'recipient',
    'a mailbox that does not exist or is disabled',
    [
      '550 5.1.1 <ada@example.org>: Recipient address rejected: User unknown in virtual mailbox table',
      '550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the address.\n550 5.1.1  https://support.example.com/mail/?p=NoSuchUser a1-2002 - gsmtp',
      '550 5.5.0 Requested action not taken: mailbox unavailable (#5.1.1)',
      '550 ada@example.org: 5.1.1 User does not exist',
      '554 delivery error: dd This user doesn’t have an example account [0]\n554 5.1.1 - mta4.example.net',
      '550 5.1.6 the recipient has left, no forwarding address',
      '556 5.1.10 the domain does not accept mail (null MX)',
      '556 domain does not accept mail',
      '550 5.2.1 The email account that you tried to reach is disabled.',
    ],
  ],
  [
    'message',
    'a mailbox that is full',
    [
      '552 5.2.2 mailbox full',
      '552-5.2.2 The recipient’s inbox is out of storage space.\n552 5.2.2 https://support.example.com/mail/?p=OverQuota',
      '554 4.2.2 mailbox over quota',
      '550 <ada@example.org> mailbox full (5.2.2)',
      '552 Requested mail action aborted: exceeded storage allocation',
      '550 Quota exceeded (mailbox for user is full)',
    ],
  ],
  [
    'message',
    'a size limit',
    [
      '552 5.3.4 Message size exceeds fixed limit',
      '550 5.2.3 message exceeds administrative limit',
      '552 message too large',
    ],
  ],
  [
    'message',
    'a block list or the authentication of our mail',
    [
      '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.example.org',
      '550 5.7.1 SPF check failed for 5.1.1.7',
      '550 5.7.1 Message rejected due to the domain’s DMARC policy',
      '550 5.7.20 no passing DKIM signature found',
      '550 5.7.23 SPF validation failed',
      '550-5.7.25 The IP address sending this message does not have a PTR record\n550 5.7.25 setup',
      '550-5.7.26 This mail has been blocked because the sender is unauthenticated.\n550 5.7.26 see our guidelines',
      '550 5.7.27 sender address has a null MX',
      '550-mx.example.org rejected your mail\n550 (reason: 5.7.23 SPF)',
      '550 rejected: listed at the DNSBL bl.example.org',
      '553 blocked: SPF failure',
      '550 This message was classified as spam',
      '554 Transaction failed',
    ],
  ],
  [
    'message',
    'the system of the recipient, the protocol or the content',
    [
      '554 5.3.2 system not accepting messages',
      '550 5.4.6 routing loop detected',
      '554 5.6.1 media not supported',
      '550 5.5.1 protocol error',
    ],
  ],
  [
    'message',
    'a code beside a more harmless one',
    ['550 5.1.1 rejected\n550 5.7.1 by policy', '550 5.2.1 mailbox disabled: over quota (5.2.2)'],
  ],
  [
    'unclear',
    'the recipient, without a specific code',
    [
      '550 User unknown',
      '550 No such user here',
      '551 User not local',
      '553 mailbox name not allowed',
      '550 mailbox unavailable',
      '550 5.0.0 rejected',
      '550 5.5.0 Requested action not taken: mailbox unavailable',
      '550 5.1.0 Address rejected.',
      '550 5.1.2 host unknown',
      '553 5.1.3 address syntax',
      '550 5.4.1 Recipient address rejected: Access denied. [ABC12FT003.eop-nam12.example.com]',
      '550 5.4.4 unable to route: no mail hosts for domain',
      // An address and a program version, not status codes.
      '550 mailbox unavailable at 5.1.1.7',
      '550 mailbox unavailable (mail15.1.1, relay.example.org)',
    ],
  ],
  [
    'unavailable',
    'our sender, our login or relaying',
    [
      '550 5.7.1 Relaying denied',
      '554 relay access denied',
      '550 5.1.8 Sender address rejected: Domain not found',
      '550 rejected\n550 (5.1.7 bad sender)',
      '530 5.7.0 authentication required',
    ],
  ],
  [
    'unavailable',
    'a later attempt',
    ['452 4.2.2 mailbox full', '452 requested action not taken: insufficient storage', '451 4.7.1 greylisted'],
  ],
];

for (const [meaning, what, answers] of TABLE) {
  for (const answer of answers) {
    test(`a response about ${what}: ${meaning} (“${answer.replaceAll('\n', ' | ').slice(0, 70)}”)`, () => {
      assert.equal(readMeaning(answer), meaning);
    });
  }
}

test('after the data, only a code for a missing mailbox refers to the mailbox', () => {
  assert.equal(readMeaning('550 5.1.1 no such user after all', 'DATA'), 'recipient');
  assert.equal(readMeaning('554 5.7.1 looks like spam', 'DATA'), 'message');
  assert.equal(readMeaning('550 rejected', 'DATA'), 'message');
  assert.equal(readMeaning('550 5.4.1 access denied', 'DATA'), 'message');
});

test('a size that is rejected before the recipient rejects the message', () => {
  assert.equal(readMeaning('552 5.3.4 message size exceeds fixed limit', 'MAIL FROM'), 'message');
  assert.equal(readMeaning('550 sender unknown', 'MAIL FROM'), 'unavailable');
});

test('a size that the sender’s command announces may be rejected with a reply code or a status code alone', () => {
  for (const response of ['552 too large', '550 5.2.3 too large', '550 5.3.4 too large']) {
    assert.equal(readMeaning(response, 'MAIL FROM'), 'message', response);
  }
  for (const response of ['550 5.2.30 no', '550 15.3.4 no', '550 5x2.3 no', '550 5.1.1 no', '553 5.2.2 no']) {
    assert.equal(readMeaning(response, 'MAIL FROM'), 'unavailable', response);
  }
});

test('a rejected command, login or connection is not about the recipient, whatever the text', () => {
  for (const status of [500, 502, 503, 504, 521, 530, 534, 535, 538]) {
    assert.equal(readMeaning(`${status} 5.1.1 user unknown`), 'unavailable', String(status));
  }
  assert.equal(readMeaning('501 5.1.1 user unknown'), 'recipient');
  assert.equal(readMeaning('550 5.1.1 user unknown', 'CONN' as Command), 'unavailable');
});

test('a status code decides regardless of its class', () => {
  const byCode: [Meaning, string[]][] = [
    ['recipient', ['1.1', '1.6', '1.10', '2.1']],
    ['unavailable', ['1.7', '1.8', '7.8', '7.9', '7.11']],
    ['message', ['2.2', '2.3', '2.4', '3.0', '4.2', '5.1', '6.7', '7.1', '7.10', '3.999']],
    [
      'unclear',
      ['0.0', '1.0', '1.2', '1.5', '1.9', '1.11', '2.0', '2.5', '4.0', '4.1', '4.4', '5.0', '8.1', '31.1', '11.1'],
    ],
  ];
  for (const [meaning, codes] of byCode) {
    for (const code of codes) {
      for (const status of [`5.${code}`, `4.${code}`]) assert.equal(readMeaning(`550 ${status} No.`), meaning, status);
    }
  }
});

test('of several codes the most harmless one counts, and a general one only without a specific one', () => {
  assert.equal(readMeaning('550 5.1.1 x\n550 5.1.8 x'), 'unavailable');
  assert.equal(readMeaning('550 5.2.2 x\n550 5.1.7 x'), 'unavailable');
  assert.equal(readMeaning('550 5.2.2 x\n550 5.4.1 x'), 'message');
  assert.equal(readMeaning('550 5.1.1 x\n550 5.4.1 x'), 'recipient');
  assert.equal(readMeaning('550 5.3.0 x\n550 5.1.1 x'), 'recipient');
  assert.equal(readMeaning('550 5.0.0 x\n550 5.7.0 x'), 'message');
});

test('numbers in names, addresses and longer numbers are not status codes', () => {
  for (const text of [
    'x5.1.1',
    'x-5.1.1',
    '.5.1.1',
    '15.1.1',
    '5.1.1x',
    '5.1.1.7',
    '5.1.1111',
    '5.1111.1',
    '6.1.1',
    '5-1-1',
  ]) {
    assert.equal(readMeaning(`550 ${text} no`), 'unclear', text);
  }
  for (const text of ['5.1.1', '(5.1.1)', '#5.1.1:', '5.1.1.']) {
    assert.equal(readMeaning(`550 ${text} no`), 'recipient', text);
  }
});

test('without a code, words about the mail make a rejection harmless', () => {
  const words =
    'quota, full, too big, too large, size, storage, SPAM, blocked, blocklist, black-list, blacklist, black-listed, ' +
    'listed, dnsbl, dnswl, dnsl, rbl, SPF, DKIM, DMARC, reputation, policy, reverse DNS, PTR';
  for (const word of words.split(', ')) assert.equal(readMeaning(`550 no: ${word}!`), 'message', word);
  for (const word of ['fullname', 'useful', 'toobig', 'resize', 'blocker', 'unlisted', 'dnsxl', 'spfx', 'block']) {
    assert.equal(readMeaning(`550 no: ${word}!`), 'unclear', word);
  }
  assert.equal(readMeaning('550 5.1.1 no: the policy of a full mailbox'), 'recipient', 'a code is clearer');
});

test('a denied relay is about this server; a host named relay is not', () => {
  for (const word of ['relay', 'Relaying', 'relayed']) {
    assert.equal(readMeaning(`550 5.1.1 ${word} denied`), 'unavailable', word);
  }
  for (const word of ['relay.example', 'relay-1', 'relay1', 'mailrelay', 'relays', 'relaying.example']) {
    assert.equal(readMeaning(`550 5.1.1 ${word} says no`), 'recipient', word);
  }
});

test('a reply code without words says who is meant', () => {
  for (const [code, meaning] of [
    ['550', 'unclear'],
    ['551', 'unclear'],
    ['552', 'message'],
    ['553', 'unclear'],
    ['554', 'message'],
    ['556', 'recipient'],
    ['599', 'unclear'],
  ] as const) {
    assert.equal(readMeaning(code), meaning, code);
  }
});

test('a reason has the command and the response in one line of 300 characters, without secrets', () => {
  const reason = (error: Partial<SmtpFailure>, secrets: string[] = []) => {
    const outcome = readSmtpOutcome({ message: 'No.', ...error }, false, secrets);
    return outcome.kind === 'sent' ? '' : outcome.reason;
  };
  assert.equal(reason({}), 'No.');
  assert.equal(reason({ command: 'DATA' }), 'DATA: No.');
  assert.equal(reason({ command: 'API' }), 'No.');
  assert.equal(reason({ code: 'EAUTH', message: 'secret' }), 'the mail server refused our login');
  assert.equal(reason({ code: 'EAUTH', responseCode: 535 }), 'the mail server refused our login (535)');
  assert.equal(reason({ code: 'ETIMEDOUT', message: 'a\r\nb' }), 'a b');
  assert.equal(reason({ message: 'p.a+s(s) P.A+S(S) pxa+s(s) *' }, ['p.a+s(s)', '*']), '… … pxa+s(s) …');
  assert.equal(reason({ message: 'x'.repeat(300) }), 'x'.repeat(300));
  assert.equal(reason({ message: 'x'.repeat(301) }), `${'x'.repeat(299)}…`);
});

test('only a permanent reply is a rejection; without any, the last byte decides', () => {
  const kind = (responseCode: number | undefined, isLastByteSent: boolean) => {
    const code = responseCode === undefined ? {} : { responseCode };
    return readSmtpOutcome({ message: 'No.', command: 'RCPT TO', response: '', ...code }, isLastByteSent, []).kind;
  };
  for (const isLastByteSent of [false, true]) {
    const unanswered = isLastByteSent ? 'unknown' : 'unavailable';
    assert.deepEqual(
      [undefined, 399, 400, 499, 501].map((code) => kind(code, isLastByteSent)),
      [unanswered, unanswered, 'unavailable', 'unavailable', 'refused'],
    );
    assert.equal(kind(500, isLastByteSent), 'unavailable');
  }
});

test('the code is found on the second line of a server’s reply', async (t) => {
  const server = await startScriptedServer(t, (line) => {
    if (/^EHLO/i.test(line)) return '250 hello\r\n';
    if (/^MAIL/i.test(line)) return '250 ok\r\n';
    if (/^RCPT/i.test(line)) return '550-mx.example.org did not accept this\r\n550 (#5.1.1) see our pages\r\n';
    return '221 bye\r\n';
  });
  const { outcome } = await sendTo(server, async () => undefined);
  assert.equal(outcome.kind === 'refused' && outcome.cause, 'recipient', JSON.stringify(outcome));
});
