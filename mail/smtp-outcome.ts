/** What an SMTP failure means for the mail. */
import type { MailOutcome } from './mailer.ts';
import { toOneLine } from './plain.ts';

/** As nodemailer reports it. */
export interface SmtpFailure {
  message: string;
  code?: string;
  /** The last command, `MAIL FROM`, `RCPT TO`, `DATA`, `CONN`, `AUTH …`. */
  command?: string;
  response?: string;
  responseCode?: number;
}

export function readSmtpOutcome(error: SmtpFailure, handedOver: boolean, hide: readonly string[]): MailOutcome {
  const reason = formatReason(error, hide);
  const status = error.responseCode ?? 0;
  const said = error.response ?? '';
  if (status >= 400 && status < 500) return { kind: 'unavailable', reason };
  if (status >= 500 && !isAboutUs(error, said)) {
    if (error.command === 'RCPT TO')
      return { kind: 'refused', reason, of: isPolicy(status, said) ? 'message' : 'recipient' };
    // To the end of the data, or instead of 354. 5.1.x and 5.2.x speak of the mailbox even there (RFC 3463).
    if (error.command === 'DATA')
      return { kind: 'refused', reason, of: /^\d{3}[ -]5\.[12]\./.test(said) ? 'recipient' : 'message' };
  }
  if (status >= 500) return { kind: 'unavailable', reason };
  return { kind: handedOver ? 'unknown' : 'unavailable', reason };
}

/** Codes that speak of our login, our sender or our connection: the author's address is not to blame, and keeps its digests. */
function isAboutUs({ command, responseCode }: SmtpFailure, said: string): boolean {
  if (command === 'MAIL FROM') return true;
  if ([500, 502, 503, 504, 521, 530, 534, 535, 538].includes(responseCode ?? 0)) return true;
  return command === 'RCPT TO' && (/\brelay/i.test(said) || /^\d{3}[ -]5\.(1\.[78]|7\.(8|9|11))\b/.test(said));
}

/**
 * Many servers keep every objection for the recipient's turn: our host on a list, a mail that nobody signed, a server that is closed. The
 * mailbox may be well, so its digests go on.
 */
function isPolicy(status: number, said: string): boolean {
  const [, subject] = /^\d{3}[ -]5\.(\d{1,3})\./.exec(said) ?? [];
  return subject === undefined ? status === 554 : ['3', '5', '6', '7'].includes(subject);
}

function formatReason({ message, code, responseCode, command }: SmtpFailure, hide: readonly string[]): string {
  // What a server says to a login may repeat it.
  if (code === 'EAUTH') return `the mail server did not accept our login${responseCode ? ` (${responseCode})` : ''}`;
  let line = command && command !== 'API' ? `${command}: ${message}` : message;
  for (const secret of hide) line = line.replaceAll(matchAnyCase(secret), '…');
  return toOneLine(line, 300);
}

function matchAnyCase(text: string): RegExp {
  return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
}
