/** Lists the files of the folder that differ between a commit and HEAD. */

/** @typedef {import('./git.mjs').Git} Git */

/**
 * @typedef {object} Change
 * @property {string} file from the root of the repository
 * @property {'added' | 'changed' | 'renamed' | 'deleted'} kind
 * @property {string} [from] the previous name of a renamed file
 * @property {boolean} isLink a symbolic link or a submodule; its target was not reviewed
 */

/**
 * Sorted by name. Without a `base`, every file is listed.
 *
 * @type {(git: Git, base: string | null, inputs: { folder: string, files: string[] }) => Promise<Change[]>}
 */
export async function listChanges(git, base, { folder, files }) {
  // Compared with the empty tree, every file is added. Git for Windows also accepts this path.
  const from = base ?? (await git('hash-object', '-t', 'tree', '/dev/null')).trim();
  // `diff-tree`, because user settings change the output of `git diff`. NUL separators, because a
  // name may contain a line break.
  const paths = files.map((pattern) => toPathspec(folder, pattern));
  // With a lower threshold, git reports a deleted short article and a new one as a rename. The
  // deletion would not be reported.
  const raw = await git('diff-tree', '-r', '-z', '--raw', '--find-renames=90%', from, 'HEAD', '--', ...paths);
  const changes = readRaw(raw.split('\0'));
  return changes.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/**
 * The folder is literal, the pattern is a glob: `*` matches within a folder, `**` across folders.
 *
 * @type {(folder: string, pattern: string) => string}
 */
function toPathspec(folder, pattern) {
  const isExcluded = pattern.startsWith('!');
  const literal = folder === '' ? '' : `${folder.replace(/[*?[\]\\]/g, '\\$&')}/`;
  return `:(top,glob${isExcluded ? ',exclude' : ''})${literal}${isExcluded ? pattern.slice(1) : pattern}`;
}

/**
 * Parses `:<mode> <mode> <sha> <sha> <status>`, NUL, name, NUL. A renamed file has two names.
 *
 * @type {(fields: string[]) => Change[]}
 */
function readRaw(fields) {
  /** @type {Change[]} */
  const changes = [];
  for (let index = 0; index + 1 < fields.length; ) {
    const [, mode = '', , , status = ''] = (fields[index++] ?? '').split(' ');
    const isRenamed = status.startsWith('R');
    const from = isRenamed ? fields[index++] : undefined;
    const file = fields[index++] ?? '';
    const kind = isRenamed ? 'renamed' : (KINDS[status] ?? 'changed');
    changes.push({
      file,
      kind,
      isLink: mode === '120000' || mode === '160000',
      ...(from === undefined ? {} : { from }),
    });
  }
  return changes;
}

/** @type {Record<string, Change['kind']>} */
const KINDS = { A: 'added', D: 'deleted' };
