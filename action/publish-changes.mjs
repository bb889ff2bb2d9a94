/** Checks every file first; publishes them, one after the other, only if each can be published. */

/** @typedef {import('./changes.mjs').Change} Change */
/** @typedef {import('./courant.mjs').Answer} Answer */
/** @typedef {import('./courant.mjs').Courant} Courant */
/** @typedef {import('./courant.mjs').Notice} Notice */
/** @typedef {import('./plan.mjs').Plan} Plan */

/**
 * @typedef {object} Outcome
 * @property {string} file
 * @property {'created' | 'updated' | 'checked' | 'invalid' | 'failed' | 'not published' | 'deleted'} what
 * @property {string | undefined} [title]
 * @property {string | undefined} [url]
 * @property {string | undefined} [status]
 * @property {Notice[]} notices
 */

/** A check is a program of its own that needs a fifth of a second of one processor. */
const CHECKS_AT_ONCE = 4;

/**
 * @param {Change[]} changes
 * @param {{ mode: Plan['mode'], courant: Courant, env: NodeJS.ProcessEnv }} how `env` holds the token and the endpoint
 * @returns {Promise<Outcome[]>} in the order of the changes
 */
export async function publishChanges(changes, { mode, courant, env }) {
  const checked = await mapSome(changes, (change) => check(change, courant, mode));
  const isInvalid = checked.some(({ what }) => what === 'invalid');
  /** @type {Outcome[]} */
  const outcomes = [];
  let isStopped = isInvalid || mode === 'check' || mode === 'nothing';
  for (const [index, outcome] of checked.entries()) {
    const change = changes[index];
    if (change === undefined || outcome.what !== 'checked' || !isMeant(change, mode)) outcomes.push(outcome);
    else if (isStopped) outcomes.push(mode === 'check' ? outcome : { ...outcome, what: 'not published' });
    else {
      const answer = await courant(change.file, mode === 'draft' ? ['--draft'] : [], env);
      outcomes.push(toOutcome(change, outcome, answer));
      // A token that is refused or a server that is away would be so for the next file too.
      isStopped = !answer.ok && !answer.isFileAtFault;
    }
  }
  return outcomes;
}

/**
 * A draft of a file that is public already would take its article away from its readers.
 *
 * @param {Change} change
 * @param {Plan['mode']} mode
 */
function isMeant({ kind }, mode) {
  return mode !== 'draft' || kind === 'added';
}

/**
 * @param {Change} change
 * @param {Courant} courant
 * @param {Plan['mode']} mode
 * @returns {Promise<Outcome>}
 */
async function check(change, courant, mode) {
  const { file, kind, isLink } = change;
  if (kind === 'deleted') {
    const message =
      'The file is gone, and its article stays, unless another file goes on with it. To take it back, use the desk, or ' +
      'publish it once more with "status: DRAFT".';
    return { file, what: 'deleted', notices: [{ level: 'warning', message }] };
  }
  if (isLink) {
    const message = 'This is a link, and what it leads to may be any file of the runner: put the article itself here.';
    return { file, what: 'invalid', notices: [{ level: 'error', message }] };
  }
  const flags = mode === 'draft' && isMeant(change, mode) ? ['--dry-run', '--draft'] : ['--dry-run'];
  const { ok, title, notices } = await courant(file, flags);
  const isInvalid = !ok || notices.some(({ level }) => level === 'error');
  return { file, title, what: isInvalid ? 'invalid' : 'checked', notices: [...describeRename(change), ...notices] };
}

/**
 * @param {Change} change
 * @returns {Notice[]}
 */
function describeRename({ kind, from }) {
  if (kind !== 'renamed') return [];
  const message =
    `Renamed from ${from}. It stays the same article by its id, slug, canonical_url or title; if none of them is in ` +
    'the frontmatter, it becomes another article, and the one before stays.';
  return [{ level: 'notice', message }];
}

/**
 * @param {Change} change
 * @param {Outcome} checked
 * @param {Answer} answer
 * @returns {Outcome}
 */
function toOutcome(change, { file, title }, answer) {
  // The check asked every platform that there is; the answer speaks of those that are connected.
  const notices = [...describeRename(change), ...answer.notices];
  if (!answer.ok) return { file, title, what: 'failed', notices };
  const what = answer.action === 'created' ? 'created' : 'updated';
  return { file, title, what, url: answer.url, status: answer.status, notices };
}

/**
 * @template T, R
 * @param {T[]} items
 * @param {(item: T) => Promise<R>} act
 * @returns {Promise<R[]>}
 */
async function mapSome(items, act) {
  /** @type {R[]} */
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await act(/** @type {T} */ (items[index]));
    }
  };
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, work));
  return results;
}
