/** Maps an SMTP failure to the outcome of the mail. */
import { cleanToOneLine } from '../clean-text.ts';
import type { MailOutcome } from '../mailer.ts';

/** The error of nodemailer. */
export interface SmtpFailure {
  message: string;
  code?: string;
  /** The last command, `MAIL FROM`, `RCPT TO`, `DATA`, `CONN`, `AUTH …`. */
  command?: string;
  response?: string;
  responseCode?: number;
}

export function readSmtpOutcome(error: SmtpFailure, isLastByteSent: boolean, secrets: readonly string[]): MailOutcome {
  const reason = formatReason(error, secrets);
  const status = error.responseCode ?? 0;
  if (status >= 400 && status < 500) return { kind: 'unavailable', reason };
  if (status >= 500) {
    const cause = classifyRefusal(error, status);
    return cause === 'server' ? { kind: 'unavailable', reason } : { kind: 'refused', reason, cause };
  }
  return { kind: isLastByteSent ? 'unknown' : 'unavailable', reason };
}

/** `server`: the cause is our login, sender or connection. Such a mail is sent again. */
function classifyRefusal({ command, response = '' }: SmtpFailure, status: number): Refusal {
  // Unknown commands, a server that accepts no mail from us, or a missing login.
  if ([500, 502, 503, 504, 521, 530, 534, 535, 538].includes(status)) return 'server';
  const refusal = classifyRefusalText(response);
  switch (command) {
    case 'RCPT TO':
      return refusal;
    // The response to the end of the data, or instead of 354. The recipient was accepted before, so
    // only a clear code refers to the mailbox.
    case 'DATA':
      return refusal === 'recipient' ? 'recipient' : 'message';
    // A server may check the announced size with the sender.
    case 'MAIL FROM':
      return status === 552 || /\b5\.(2\.3|3\.4)\b/.test(response) ? 'message' : 'server';
    default:
      return 'server';
  }
}

function formatReason({ message, code, responseCode, command }: SmtpFailure, secrets: readonly string[]): string {
  // A server's response to a login may repeat it.
  if (code === 'EAUTH') return `the mail server refused our login${responseCode ? ` (${responseCode})` : ''}`;
  let line = command && command !== 'API' ? `${command}: ${message}` : message;
  for (const secret of secrets)
    line = line.replaceAll(new RegExp(secret.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi'), '…');
  return cleanToOneLine(line, 300);
}

/**
 * `recipient`: the mailbox does not exist or is disabled. `unclear`: the recipient was rejected
 * without a cause. `message`: this mail was rejected. `server`: our sender, login or right to relay was
 * rejected.
 */
type Refusal = 'recipient' | 'unclear' | 'message' | 'server';

/** `response` is the complete reply, with its lines joined by line feeds. */
function classifyRefusalText(response: string): Refusal {
  const found = listCodes(response).map(readCode);
  // A reply may contain several codes, for example of a server behind this one. The most harmless
  // one decides, so that a doubt does not stop a digest.
  const refusal = BY_HARMLESSNESS.find((kind) => found.includes(kind)) ?? readReplyCode(response);
  if (DENIED_RELAY.test(response)) return 'server';
  return refusal === 'unclear' && HARMLESS_WORDS.test(response) ? 'message' : refusal;
}

const BY_HARMLESSNESS: readonly Refusal[] = ['server', 'message', 'recipient', 'unclear'];

/** By `subject.detail`. */
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
  // X.3 (mail system), X.4 (routing), X.5 (protocol), X.6 (content), X.7 (policy, block lists, SPF,
  // DKIM, DMARC).
  return CODES[code] ?? (/^[3-7]\./.test(code) ? 'message' : 'unclear');
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
