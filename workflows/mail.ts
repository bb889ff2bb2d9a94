/**
 * One account mail: sends it, with a day of retries while the mail server is unavailable, then
 * records it. The row decides whether it may be sent; the history holds no address and no link.
 */
import { proxyLocalActivities, upsertSearchAttributes } from '@temporalio/workflow';
import type { Activities, MailEnding } from '../activities/index.ts';
import { SEARCH_ATTRIBUTES } from '../temporal/names.ts';
import { buildGivenUpEnding } from './given-up-mail.ts';
import type { MailWorkflowInput } from './messages.ts';
import { AWAITED_MAIL_OPTIONS, LOCAL_RECORD_OPTIONS, proxyActivitiesOn } from './options.ts';
import { showStatus } from './status.ts';

const records = proxyLocalActivities<Activities>(LOCAL_RECORD_OPTIONS);

export async function mailWorkflow(input: MailWorkflowInput): Promise<string> {
  const show = showStatus('composing and sending the mail');
  const ending = await send(input);
  const end = (await records.closeMail({ ...input, ending })) ?? 'gone';
  upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.outcome, value: end }]);
  const why = 'reason' in ending ? `${end}: ${ending.reason}` : end;
  show(why);
  return why;
}

async function send(input: MailWorkflowInput): Promise<MailEnding> {
  try {
    return await proxyActivitiesOn('mails', AWAITED_MAIL_OPTIONS).sendMail(input);
  } catch (error) {
    return buildGivenUpEnding(error);
  }
}
