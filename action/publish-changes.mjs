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

const DELETED =
  'The file was deleted. Its article is unchanged unless another file continues it. To unpublish it, use the desk, or ' +
  'publish it again with "status: DRAFT".';
const LINK = 'This is a symbolic link, which may lead to any file of the runner: replace it with the article.';

/**
 * Returns the outcomes in the order of the changes. `env` holds the token and the endpoint.
 *
 * @type {(changes: Change[], options: { mode: Plan['mode'], courant: Courant, env: NodeJS.ProcessEnv }) => Promise<Outcome[]>}
 */
export async function publishChanges(changes, { mode, courant, env }) {
  /** @type {Map<Change, Outcome>} */
  const outcomes = new Map();
  for (const change of changes) {
    const { file, kind, isLink } = change;
    if (kind === 'deleted')
      outcomes.set(change, { file, what: 'deleted', notices: [{ level: 'warning', message: DELETED }] });
    else if (isLink) outcomes.set(change, { file, what: 'invalid', notices: [{ level: 'error', message: LINK }] });
  }
  const readable = changes.filter((change) => !outcomes.has(change));
  // In draft mode only added files are published: a draft of a public article would withdraw it.
  const publishable = readable.filter(({ kind }) => mode !== 'draft' || kind === 'added');
  const flags = mode === 'draft' ? ['--draft'] : [];

  /** @type {(files: Change[], flags: string[]) => Promise<void>} */
  const check = async (files, checkFlags) => {
    const answers = await courant(
      files.map(({ file }) => file),
      ['--dry-run', ...checkFlags],
    );
    for (const [index, change] of files.entries()) outcomes.set(change, describeCheck(change, answers[index]));
  };
  await check(publishable, flags);
  await check(
    readable.filter((change) => !publishable.includes(change)),
    [],
  );

  const isInvalid = [...outcomes.values()].some(({ what }) => what === 'invalid');
  if (mode === 'publish' || mode === 'draft') {
    const files = publishable.map(({ file }) => file);
    const answers = isInvalid ? [] : await courant(files, flags, env);
    for (const [index, change] of publishable.entries()) {
      const checked = outcomes.get(change);
      if (checked?.what === 'checked') outcomes.set(change, describePublish(change, checked, answers[index]));
    }
  }
  return changes.flatMap((change) => outcomes.get(change) ?? []);
}

/** @type {(change: Change, answer: Answer | undefined) => Outcome} */
function describeCheck(change, answer) {
  const { result, title, notices } = answer ?? { result: 'failed', notices: [] };
  const isInvalid = result !== 'ok' || notices.some(({ level }) => level === 'error');
  return {
    ...{ file: change.file, title, what: isInvalid ? 'invalid' : 'checked' },
    notices: [...describeRename(change), ...notices],
  };
}

/**
 * Drops the notices of the check, which covers every platform. The response covers only connected
 * ones.
 *
 * @type {(change: Change, checked: Outcome, answer: Answer | undefined) => Outcome}
 */
function describePublish(change, checked, answer) {
  if (answer === undefined || answer.result === 'not sent') return { ...checked, what: 'not published' };
  const { result, action, url, status } = answer;
  const what = result === 'failed' ? 'failed' : action === 'created' ? 'created' : 'updated';
  return { ...checked, what, url, status, notices: [...describeRename(change), ...answer.notices] };
}

/** @type {(change: Change) => Notice[]} */
function describeRename({ kind, from }) {
  if (kind !== 'renamed') return [];
  const message =
    `Renamed from ${from}. It is the same article if its id, slug, canonical_url or title is unchanged. Without any of them in ` +
    'the frontmatter, it becomes a new article, and the former one stays public.';
  return [{ level: 'notice', message }];
}
