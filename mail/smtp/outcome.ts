/** Maps an SMTP failure to the outcome of the mail. */

import { cleanToOneLine } from '../clean-text.ts';
import type { MailOutcome } from '../mailer.ts';
import { classifyRefusalText, type Refusal } from './refusals.ts';

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

/**
 * `server` if the cause is our login, sender or connection, not the mailbox. Such a mail is sent again.
 */
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
  for (const secret of secrets) line = line.replaceAll(buildAnyCasePattern(secret), '…');
  return cleanToOneLine(line, 300);
}

function buildAnyCasePattern(text: string): RegExp {
  return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
}
