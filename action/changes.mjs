/** Which files of the folder differ between a commit and what is checked out. */

/** @typedef {import('./git.mjs').Git} Git */

/**
 * @typedef {object} Change
 * @property {string} file from the root of the repository
 * @property {'added' | 'changed' | 'renamed' | 'deleted'} kind
 * @property {string} [from] the name before, of a renamed file
 * @property {boolean} isLink a symbolic link, or another repository: what it leads to is not what was reviewed
 */

/**
 * @param {Git} git
 * @param {string | null} base null takes every file
 * @param {{ folder: string, files: string[] }} inputs
 * @returns {Promise<Change[]>} by name
 */
export async function listChanges(git, base, { folder, files }) {
  // Against the empty tree, every file is added. Git for Windows knows this path too.
  const from = base ?? (await git('hash-object', '-t', 'tree', '/dev/null')).trim();
  // Plumbing, because the settings of a person change what `git diff` prints; NUL, because a name may hold a line break.
  const paths = files.map((pattern) => toPathspec(folder, pattern));
  // With less than 90 %, a short post in place of another passes for a renamed one, and nobody is told that the first is gone.
  const raw = await git('diff-tree', '-r', '-z', '--raw', '--find-renames=90%', from, 'HEAD', '--', ...paths);
  const changes = readRaw(raw.split('\0'));
  return changes.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/**
 * The folder is taken as it is written, the pattern as a pattern: `*` stays within a folder, `**` does not.
 *
 * @param {string} folder
 * @param {string} pattern
 */
function toPathspec(folder, pattern) {
  const isExcluded = pattern.startsWith('!');
  const literal = folder === '' ? '' : `${folder.replace(/[*?[\]\\]/g, '\\$&')}/`;
  return `:(top,glob${isExcluded ? ',exclude' : ''})${literal}${isExcluded ? pattern.slice(1) : pattern}`;
}

/**
 * `:<mode> <mode> <sha> <sha> <status>`, NUL, the name, NUL; a renamed file has two names.
 *
 * @param {string[]} fields
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
