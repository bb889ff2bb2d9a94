/** Starts all due digests, page by page. Does not start a digest twice. */
import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { DigestSweepWorkflowInput } from './messages.ts';
import { SWEEP_OPTIONS } from './options.ts';
import { showStatus } from './status.ts';

const { startDueDigests } = proxyActivities<Activities>(SWEEP_OPTIONS);

export async function digestSweepWorkflow(
  from: DigestSweepWorkflowInput = { until: null, after: null, started: 0 },
): Promise<string> {
  const show = showStatus('looking for authors whose digest is due');
  let progress = from;
  for (;;) {
    const page = await startDueDigests({ until: progress.until, after: progress.after });
    const started = progress.started + page.started;
    show(`${started} digests started`);
    if (page.after === null) return `${started} digests started`;
    progress = { until: page.until, after: page.after, started };
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof digestSweepWorkflow>(progress);
  }
}
