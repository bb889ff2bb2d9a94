/**
 * The digest of one author and day: sends it, with a day of retries while the mail server is
 * unavailable, then records it and moves the due date. The row decides whether it may be sent.
 */
import { proxyLocalActivities, upsertSearchAttributes } from '@temporalio/workflow';
import type { Activities, DigestOutcome } from '../activities/index.ts';
import { SEARCH_ATTRIBUTES } from '../temporal/names.ts';
import { buildGivenUpEnding } from './given-up-mail.ts';
import type { DigestWorkflowInput } from './messages.ts';
import { LOCAL_RECORD_OPTIONS, MAIL_OPTIONS, proxyActivitiesOn } from './options.ts';
import { showStatus } from './status.ts';

const records = proxyLocalActivities<Activities>(LOCAL_RECORD_OPTIONS);

export async function digestWorkflow(input: DigestWorkflowInput): Promise<string> {
  const show = showStatus('checking whether the digest is due');
  const state = await records.openDigest(input);
  if (state === null) return 'nothing is due';
  show('composing and sending the digest');
  const outcome = await send(input);
  const end = (await records.closeDigest({ ...input, outcome })) ?? 'gone';
  upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.outcome, value: end }]);
  const why = 'reason' in outcome ? `${end}: ${outcome.reason}` : end;
  show(why);
  return why;
}

async function send(input: DigestWorkflowInput): Promise<DigestOutcome> {
  try {
    return await proxyActivitiesOn('mails', MAIL_OPTIONS).sendDigest(input);
  } catch (error) {
    return buildGivenUpEnding(error);
  }
}
