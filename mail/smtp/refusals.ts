/**
 * Classifies a permanent rejection (5xx) of a recipient. Nobody notices a digest that stops by
 * mistake, while a useless one costs a line in a log. So only a response that names a missing
 * mailbox stops it at once.
 *
 * Codes are the enhanced status codes of RFC 3463 (class.subject.detail) and of the registry of RFC
 * 5248: RFC 4468, 4954 and 5248 (X.7.8 – X.7.14), RFC 7372 (X.7.20 – X.7.26, authentication of
 * mail), RFC 7505 (X.1.10 and X.7.27, a null MX). Reply codes are those of RFC 5321, and 556 of RFC
 * 7504.
 */

/**
 * `recipient`: the mailbox does not exist or is disabled. `unclear`: the recipient was rejected
 * without a cause. `message`: this mail was rejected. `server`: our sender, login or right to relay was
 * rejected.
 */
export type Refusal = 'recipient' | 'unclear' | 'message' | 'server';

/** `response` is the complete reply, with its lines joined by line feeds. */
export function classifyRefusalText(response: string): Refusal {
  const found = listCodes(response).map(readCode);
  // A reply may contain several codes, for example of a server behind this one. The most harmless
  // one decides, so that a doubt does not stop a digest.
  const refusal = BY_HARMLESSNESS.find((kind) => found.includes(kind)) ?? readReplyCode(response);
  if (DENIED_RELAY.test(response)) return 'server';
  return refusal === 'unclear' && HARMLESS_WORDS.test(response) ? 'message' : refusal;
}

const BY_HARMLESSNESS: readonly Refusal[] = ['server', 'message', 'recipient', 'unclear'];

/** By `subject.detail`. Other codes use `SUBJECTS`. */
const CODES: Readonly<Record<string, Refusal>> = {
  // Addressing (RFC 3463 section 3.2).
  '1.1': 'recipient', // bad destination mailbox address
  '1.6': 'recipient', // destination mailbox has moved, no forwarding address
  '1.10': 'recipient', // recipient address has null MX (RFC 7505)
  '1.7': 'server', // bad sender's mailbox address syntax
  '1.8': 'server', // bad sender's system address
  // X.1.2 (bad destination system address), X.1.0, X.1.3 to X.1.5 and X.1.9 are omitted, because a
  // domain can be unreachable for a day.

  // Mailbox (section 3.3).
  '2.1': 'recipient', // mailbox disabled, not accepting messages
  '2.2': 'message', // mailbox full
  '2.3': 'message', // message length exceeds administrative limit
  '2.4': 'message', // mailing list expansion problem

  // Network and routing (section 3.5). Some large systems return X.4.1 for every unknown recipient.
  '4.0': 'unclear',
  '4.1': 'unclear',
  '4.4': 'unclear', // unable to route

  // Protocol (section 3.6). Another large system returns "5.5.0 mailbox unavailable".
  '5.0': 'unclear',

  // Security and policy (section 3.8): about our login (RFC 4954).
  '7.8': 'server',
  '7.9': 'server',
  '7.11': 'server',
};

/**
 * X.3 (mail system; X.3.4 is a message that is too large), X.4 (routing), X.5 (protocol), X.6
 * (content), X.7 (policy, block lists, SPF, DKIM, DMARC).
 */
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
 * Finds codes anywhere in the reply, because servers place them differently, but not within an
 * address, a number or a name. Accepts class 4, because its detail still holds. X.Y.0 counts only
 * without a specific code.
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
    default: // 550 mailbox unavailable, 551 user not local, 553 mailbox name not allowed, and others
      return 'unclear';
  }
}

/** Does not match a host named relay. */
const DENIED_RELAY = /\brelay(?:ing|ed)?\b(?![.\d-])/i;

/** Full mailboxes, sizes, lists and authentication, for servers without codes. */
const HARMLESS_WORDS =
  /\b(?:quota|full|too (?:big|large)|size|storage|spam|block(?:ed|list)|black-?list(?:ed)?|listed|dns[bw]?l|rbl|spf|dkim|dmarc|reputation|policy|reverse dns|ptr)\b/i;
