/**
 * The digest of one author and day: sends it, with a day of retries while the mail server is
 * unavailable, then records it and moves the due date. The row decides whether it may be sent.
 */
import { proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { DigestWorkflowInput } from './messages.ts';
import { LOCAL_RECORD_OPTIONS, MAIL_OPTIONS, proxyActivitiesOn } from './options.ts';
import { awaitMail, showMailState } from './send-mail.ts';
import { showStatus } from './status.ts';

const { openDigest, closeDigest } = proxyLocalActivities<Activities>(LOCAL_RECORD_OPTIONS);

export async function digestWorkflow(input: DigestWorkflowInput): Promise<string> {
  const show = showStatus('checking whether the digest is due');
  if ((await openDigest(input)) === null) return 'nothing is due';
  show('composing and sending the digest');
  const outcome = await awaitMail(proxyActivitiesOn('mails', MAIL_OPTIONS).sendDigest(input));
  return showMailState(await closeDigest({ ...input, outcome }), outcome, show);
}
