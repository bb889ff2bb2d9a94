/**
 * What a final refusal (5xx) says about the recipient's mailbox. A digest that stops by mistake is noticed by nobody, while one that goes
 * out in vain costs a line in a log, so only an answer that names a mailbox that is gone stops at once.
 *
 * Codes are the enhanced status codes of RFC 3463 (class.subject.detail), with those that the registry of RFC 5248 has gained: RFC 4468,
 * 4954 and 5248 (X.7.8 – X.7.14), RFC 7372 (X.7.20 – X.7.26, authentication of mail), RFC 7505 (X.1.10 and X.7.27, a null MX). Reply codes
 * are those of RFC 5321, and 556 of RFC 7504.
 */

/**
 * `recipient`: there is no such mailbox, or it is disabled. `unclear`: the recipient was refused, and not even a code says why. `message`: this
 * mail was refused, the mailbox may be fine. `us`: our sender, our login or our right to relay.
 */
export type Refusal = 'recipient' | 'unclear' | 'message' | 'us';

/** `response` is the whole reply, its lines joined by line feeds. */
export function readRefusal(response: string): Refusal {
  const found = listCodes(response).map(readCode);
  // Several codes may stand in one reply, such as that of a server behind this one. The most harmless counts, so that no doubt stops a digest.
  const refusal = HARMLESS_FIRST.find((kind) => found.includes(kind)) ?? readReplyCode(response);
  if (DENIED_RELAY.test(response)) return 'us';
  return refusal === 'unclear' && HARMLESS_WORDS.test(response) ? 'message' : refusal;
}

const HARMLESS_FIRST: readonly Refusal[] = ['us', 'message', 'recipient', 'unclear'];

/** By `subject.detail`; what is not listed goes by its subject. */
const CODES: Readonly<Record<string, Refusal>> = {
  // Addressing (RFC 3463 section 3.2).
  '1.1': 'recipient', // bad destination mailbox address
  '1.6': 'recipient', // destination mailbox has moved, no forwarding address
  '1.10': 'recipient', // recipient address has null MX (RFC 7505)
  '1.7': 'us', // bad sender's mailbox address syntax
  '1.8': 'us', // bad sender's system address
  // A domain may be gone for a day: X.1.2 (bad destination system address) is no reason to stop at once, nor are X.1.0, X.1.3 to X.1.5 and X.1.9.

  // Mailbox (section 3.3).
  '2.1': 'recipient', // mailbox disabled, not accepting messages
  '2.2': 'message', // mailbox full
  '2.3': 'message', // message length exceeds administrative limit
  '2.4': 'message', // mailing list expansion problem

  // Network and routing (section 3.5). Some large systems answer X.4.1 for every recipient they do not know.
  '4.0': 'unclear',
  '4.1': 'unclear',
  '4.4': 'unclear', // unable to route

  // Protocol (section 3.6). Another large system answers "5.5.0 mailbox unavailable".
  '5.0': 'unclear',

  // Security and policy (section 3.8): about our login (RFC 4954).
  '7.8': 'us',
  '7.9': 'us',
  '7.11': 'us',
};

/** X.3 (mail system; X.3.4 is a message too big), X.4 (routing), X.5 (protocol), X.6 (content), X.7 (policy, block lists, SPF, DKIM, DMARC). */
const SUBJECTS: Readonly<Record<string, Refusal>> = {
  0: 'unclear',
  1: 'unclear',
  2: 'unclear',
  3: 'message',
  4: 'message',
  5: 'message',
  6: 'message',
  7: 'message',
};

/**
 * Anywhere in the reply: servers put the code after the domain, in brackets or on the second line. Not a part of an IP address, of a number or of
 * a name. Class 4 in a final refusal contradicts itself; what it says about the mailbox holds. A code of the form X.Y.0 counts only if no
 * code says more.
 */
function listCodes(response: string): string[] {
  const codes = [...response.matchAll(/(?<![\w.-])[45]\.(\d{1,3}\.\d{1,3})(?![\w]|\.\d)/g)].map(
    ([, code = '']) => code,
  );
  const specific = codes.filter((code) => !code.endsWith('.0'));
  return specific.length > 0 ? specific : codes;
}

function readCode(code: string): Refusal {
  const [subject = ''] = code.split('.');
  return CODES[code] ?? SUBJECTS[subject] ?? 'unclear';
}

function readReplyCode(response: string): Refusal {
  switch (response.slice(0, 3)) {
    case '552': // exceeded storage allocation
    case '554': // transaction failed
      return 'message';
    case '556': // the domain does not accept mail (RFC 7504)
      return 'recipient';
    default: // 550 mailbox unavailable, 551 user not local, 553 mailbox name not allowed, and whatever a server makes up
      return 'unclear';
  }
}

/** Not a host that is called relay. */
const DENIED_RELAY = /\brelay(?:ing|ed)?\b(?![.\d-])/i;

/** Full mailboxes, sizes, lists and authentication, of servers without codes. */
const HARMLESS_WORDS =
  /\b(?:quota|full|too (?:big|large)|size|storage|spam|block(?:ed|list)|black-?list(?:ed)?|listed|dns[bw]?l|rbl|spf|dkim|dmarc|reputation|policy|reverse dns|ptr)\b/i;
