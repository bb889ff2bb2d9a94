/** Classifies permanent rejections of real servers by the table of `mail/smtp/refusals.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSmtpOutcome } from '../../mail/smtp/outcome.ts';
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
