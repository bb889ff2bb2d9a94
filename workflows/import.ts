/**
 * One import: lists the source, then fetches, converts and stores each post. All state is in the
 * rows; the history holds ids and numbers. Waits durably while the source is unavailable or
 * rate-limited.
 */
import { condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';
import { type ImportWorkflowInput, importChangedSignal } from './messages.ts';
import { IMPORT_OPTIONS, proxyActivitiesOn } from './options.ts';
import { showOutcome, showStatus } from './status.ts';

export async function importWorkflow({ importId, failures: initialFailures }: ImportWorkflowInput): Promise<string> {
  let changed = false;
  setHandler(importChangedSignal, () => {
    changed = true;
  });
  const show = showStatus('listing the source');
  const { advanceImport } = proxyActivitiesOn('imports', IMPORT_OPTIONS);
  let failures = initialFailures;

  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof importWorkflow>({ importId, failures });
    changed = false;
    const next = await advanceImport({ importId, failures });
    if (next.kind === 'ended') {
      // A start or a cancellation after this result requires another run.
      if (changed) continue;
      showOutcome(next.state);
      show(next.state);
      return next.state;
    }
    ({ failures } = next);
    show(
      next.kind === 'wait'
        ? `waiting for the source, ${next.done} of ${next.listed} done`
        : `${next.done} of ${next.listed} done`,
    );
    if (next.kind === 'wait') await condition(() => changed, Math.max(1, next.afterMs));
  }
}
