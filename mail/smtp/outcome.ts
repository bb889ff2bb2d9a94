/** Reads what an SMTP failure means for the mail. */
import type { MailOutcome } from '../mailer.ts';
import { toOneLine } from '../plain.ts';

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
  const response = error.response ?? '';
  if (status >= 400 && status < 500) return { kind: 'unavailable', reason };
  if (status >= 500 && !isAboutUs(error, response)) {
    if (error.command === 'RCPT TO')
      return { kind: 'refused', reason, of: isPolicy(status, response) ? 'message' : 'recipient' };
    // The answer to the end of the data, or instead of 354. 5.1.x and 5.2.x are about the mailbox even here (RFC 3463).
    if (error.command === 'DATA')
      return { kind: 'refused', reason, of: /^\d{3}[ -]5\.[12]\./.test(response) ? 'recipient' : 'message' };
  }
  if (status >= 500) return { kind: 'unavailable', reason };
  return { kind: handedOver ? 'unknown' : 'unavailable', reason };
}

/** Codes that are about our login, our sender or our connection. The author's address is not to blame, so its digests go on. */
function isAboutUs({ command, responseCode }: SmtpFailure, response: string): boolean {
  if (command === 'MAIL FROM') return true;
  if ([500, 502, 503, 504, 521, 530, 534, 535, 538].includes(responseCode ?? 0)) return true;
  return command === 'RCPT TO' && (/\brelay/i.test(response) || /^\d{3}[ -]5\.(1\.[78]|7\.(8|9|11))\b/.test(response));
}

/**
 * Many servers report every problem in answer to RCPT TO: our host on a block list, an unsigned mail, a closed server. The mailbox may be
 * fine, so its digests go on.
 */
function isPolicy(status: number, response: string): boolean {
  const [, subject] = /^\d{3}[ -]5\.(\d{1,3})\./.exec(response) ?? [];
  return subject === undefined ? status === 554 : ['3', '5', '6', '7'].includes(subject);
}

function formatReason({ message, code, responseCode, command }: SmtpFailure, hide: readonly string[]): string {
  // A server's answer to a login may repeat it.
  if (code === 'EAUTH') return `the mail server did not accept our login${responseCode ? ` (${responseCode})` : ''}`;
  let line = command && command !== 'API' ? `${command}: ${message}` : message;
  for (const secret of hide) line = line.replaceAll(buildAnyCasePattern(secret), '…');
  return toOneLine(line, 300);
}

function buildAnyCasePattern(text: string): RegExp {
  return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
}
