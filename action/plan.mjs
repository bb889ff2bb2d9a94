/**
 * Decides from the event whether files are published, saved as drafts or checked, and which commit
 * they are compared with.
 */
import { findBase, requireCommit } from './base.mjs';

/** @typedef {import('./git.mjs').Git} Git */
/** @typedef {import('./inputs.mjs').Inputs} Inputs */
/** @typedef {{ name: string, payload: any }} GitHubEvent */

/**
 * @typedef {object} Plan
 * @property {'publish' | 'draft' | 'check' | 'nothing'} mode
 * @property {string | null} base the commit to compare with; null selects every file of the folder
 * @property {string[]} reasons the decisions, for the log and the summary
 */

/** Events for changes that are not merged, so must not become public. */
const UNMERGED_EVENTS = ['pull_request', 'pull_request_target', 'merge_group'];

/** @type {(event: GitHubEvent, inputs: Inputs, git: Git) => Promise<Plan>} */
export async function createPlan(event, inputs, git) {
  const { mode, reasons } = chooseMode(event, inputs);
  if (inputs.base !== '') {
    const base = await requireCommit(git, inputs.base, 'the input "base"');
    return { mode, base, reasons: [...reasons, `Compared with ${inputs.base}, set by the input "base".`] };
  }
  const found = await findBase(event, git);
  return { mode: found.isNothing ? 'nothing' : mode, base: found.base, reasons: [...reasons, found.reason] };
}

/** @type {(event: GitHubEvent, inputs: Inputs) => Pick<Plan, 'mode' | 'reasons'>} */
function chooseMode({ name }, inputs) {
  if (inputs.dryRun) return { mode: 'check', reasons: ['The input "dry-run" is "true": nothing is published.'] };
  if (!UNMERGED_EVENTS.includes(name)) return { mode: 'publish', reasons: [] };
  // The event pull_request_target has access to the secrets, but the files may be a stranger's.
  if (inputs.pullRequest === 'check' || name !== 'pull_request') {
    return { mode: 'check', reasons: ['The changes are not merged: they are checked only, and nothing is published.'] };
  }
  if (inputs.token !== '')
    return { mode: 'draft', reasons: ['Files that are new in this pull request are saved as drafts.'] };
  const reason = 'There is no token (a fork has no secrets): the files are checked, and no draft is saved.';
  return { mode: 'check', reasons: [reason] };
}
