/** Checks every file, then publishes them in sequence. Publishes none if one is invalid. */

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

/** Each check runs a process that needs 0.2 s of processor time. */
const MAX_CONCURRENT_CHECKS = 4;

/**
 * @param {Change[]} changes
 * @param {{ mode: Plan['mode'], courant: Courant, env: NodeJS.ProcessEnv }} options `env` holds
 *   the token and the endpoint
 * @returns {Promise<Outcome[]>} in the order of the changes
 */
export async function publishChanges(changes, { mode, courant, env }) {
  const checked = await mapConcurrently(changes, (change) => check(change, courant, mode));
  const isInvalid = checked.some(({ what }) => what === 'invalid');
  /** @type {Outcome[]} */
  const outcomes = [];
  let isStopped = isInvalid || mode === 'check' || mode === 'nothing';
  for (const [index, outcome] of checked.entries()) {
    const change = changes[index];
    if (change === undefined || outcome.what !== 'checked' || !isPublishable(change, mode)) outcomes.push(outcome);
    else if (isStopped) outcomes.push(mode === 'check' ? outcome : { ...outcome, what: 'not published' });
    else {
      const answer = await courant(change.file, mode === 'draft' ? ['--draft'] : [], env);
      outcomes.push(toOutcome(change, outcome, answer));
      // A rejected token or an unreachable server would fail every following file as well.
      isStopped = !answer.ok && !answer.isFileAtFault;
    }
  }
  return outcomes;
}

/**
 * In draft mode only added files are published: a draft of a public article would withdraw it.
 *
 * @param {Change} change
 * @param {Plan['mode']} mode
 */
function isPublishable({ kind }, mode) {
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
      'The file was deleted. Its article is unchanged unless another file continues it. To unpublish it, use the desk, or ' +
      'publish it again with "status: DRAFT".';
    return { file, what: 'deleted', notices: [{ level: 'warning', message }] };
  }
  if (isLink) {
    const message = 'This is a symbolic link, which may lead to any file of the runner: replace it with the article.';
    return { file, what: 'invalid', notices: [{ level: 'error', message }] };
  }
  const flags = mode === 'draft' && isPublishable(change, mode) ? ['--dry-run', '--draft'] : ['--dry-run'];
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
    `Renamed from ${from}. It is the same article if its id, slug, canonical_url or title is unchanged. Without any of them in ` +
    'the frontmatter, it becomes a new article, and the former one stays public.';
  return [{ level: 'notice', message }];
}

/**
 * @param {Change} change
 * @param {Outcome} checked
 * @param {Answer} answer
 * @returns {Outcome}
 */
function toOutcome(change, { file, title }, answer) {
  // Drops the notices of the check, which covers every platform. The response covers only connected
  // ones.
  const notices = [...describeRename(change), ...answer.notices];
  if (!answer.ok) return { file, title, what: 'failed', notices };
  const what = answer.action === 'created' ? 'created' : 'updated';
  return { file, title, what, url: answer.url, status: answer.status, notices };
}

/**
 * @template T, R
 * @param {T[]} items
 * @param {(item: T) => Promise<R>} run
 * @returns {Promise<R[]>}
 */
async function mapConcurrently(items, run) {
  /** @type {R[]} */
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await run(/** @type {T} */ (items[index]));
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CHECKS }, work));
  return results;
}
