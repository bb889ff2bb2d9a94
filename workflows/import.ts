/**
 * One import that an author ordered: the source is listed, and each post fetched, converted and stored, in portions. Everything that it knows
 * stands in the rows of the import; a history holds ids and numbers alone. It waits durably where the source asks for that, or is away.
 */
import { condition, continueAsNew, setHandler, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from '../temporal/names.ts';
import { type ImportWorkflowInput, importChangedSignal } from './messages.ts';
import { IMPORT_OPTIONS, proxyActivitiesOn } from './options.ts';
import { showStatus } from './status.ts';

export async function importWorkflow({ importId, failures: failed }: ImportWorkflowInput): Promise<string> {
  let changed = false;
  setHandler(importChangedSignal, () => {
    changed = true;
  });
  const show = showStatus('listing the source');
  const { advanceImport } = proxyActivitiesOn('imports', IMPORT_OPTIONS);
  let failures = failed;

  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof importWorkflow>({ importId, failures });
    changed = false;
    const next = await advanceImport({ importId, failures });
    if (next.kind === 'ended') {
      // Ordered, cancelled: whichever came last has been seen.
      if (changed) continue;
      upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.outcome, value: next.state }]);
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
