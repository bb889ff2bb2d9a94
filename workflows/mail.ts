/**
 * One account mail: sends it, with a day of retries while the mail server is unavailable, then
 * records it. The row decides whether it may be sent; the history holds no address and no link.
 */
import { proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { MailWorkflowInput } from './messages.ts';
import { AWAITED_MAIL_OPTIONS, LOCAL_RECORD_OPTIONS, proxyActivitiesOn } from './options.ts';
import { awaitMail, showMailState } from './send-mail.ts';
import { showStatus } from './status.ts';

const { closeMail } = proxyLocalActivities<Activities>(LOCAL_RECORD_OPTIONS);

export async function mailWorkflow(input: MailWorkflowInput): Promise<string> {
  const show = showStatus('composing and sending the mail');
  const outcome = await awaitMail(proxyActivitiesOn('mails', AWAITED_MAIL_OPTIONS).sendMail(input));
  return showMailState(await closeMail({ ...input, outcome }), outcome, show);
}
