/** Runs the command line for some files and parses the JSON that it prints for each. */
import { execFile } from 'node:child_process';

/**
 * @typedef {object} Notice a message about a file
 * @property {'error' | 'warning' | 'notice'} level
 * @property {string} message
 * @property {number | undefined} [line]
 * @property {number | undefined} [column]
 */

/**
 * @typedef {object} Answer
 * @property {'ok' | 'failed' | 'not sent'} result
 * @property {string} [title]
 * @property {string} [url]
 * @property {string} [action]
 * @property {string} [status]
 * @property {Notice[]} notices
 */

/** @typedef {(files: string[], flags: string[], env?: NodeJS.ProcessEnv) => Promise<Answer[]>} Courant in the order of the files */

/** Windows limits the length of a command. */
const MAX_FILES_PER_RUN = 100;

/**
 * `launcher` is the path of the command line program. File names are relative to `folder`.
 *
 * @type {(launcher: string, folder: string) => Courant}
 */
export function createCourantRunner(launcher, folder) {
  return async (files, flags, env = {}) => {
    /** @type {Answer[]} */
    const answers = [];
    // A rejected token or an unreachable server would fail every following file as well.
    for (let start = 0; start < files.length && answers.at(-1)?.result !== 'not sent'; start += MAX_FILES_PER_RUN)
      answers.push(...(await run(files.slice(start, start + MAX_FILES_PER_RUN), flags, env)));
    return files.map((_, index) => answers[index] ?? { result: 'not sent', notices: [] });
  };

  /**
   * @param {string[]} files
   * @param {string[]} flags
   * @param {NodeJS.ProcessEnv} env
   * @returns {Promise<Answer[]>}
   */
  function run(files, flags, env) {
    return new Promise((resolve) => {
      const args = [launcher, 'publish', '--json', ...flags, '--', ...files];
      // With CI set, the command line writes no courant.json, because the checkout is discarded.
      const variables = { ...process.env, ...env, NO_COLOR: '1', CI: 'true' };
      const options = { cwd: folder, env: variables, maxBuffer: Number.POSITIVE_INFINITY };
      const child = execFile(process.execPath, args, options, (error, stdout, stderr) => {
        const bodies = stdout.split('\n').flatMap(parseLine);
        const ending = `The command line ended with exit code ${error?.code ?? 0}`;
        const message = `${ending} and without a result: ${stderr.trim().slice(0, 1_000)}`;
        // A failure without a file concerns all of them.
        const findBody = (/** @type {string} */ name) =>
          bodies.find(({ file }) => file === name) ?? bodies.find(({ file }) => file === undefined) ?? { message };
        resolve(files.map((file) => readAnswer(findBody(file))));
      });
      // Closed, because nobody can answer a prompt.
      child.stdin?.end();
    });
  }
}

/** @type {(line: string) => any[]} */
function parseLine(line) {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** @type {(body: any) => Answer} */
function readAnswer(body) {
  const { success, code, summary, data, action } = body;
  if (code === 'not_sent') return { result: 'not sent', notices: [] };
  if (success !== true) return { result: 'failed', notices: readFailure(body) };
  const notices = [...readWarnings(body), ...readPreflights(body)];
  return { result: 'ok', title: summary?.title, url: data?.url, status: data?.status, action, notices };
}

/** @type {(body: any) => Notice[]} */
function readFailure({ message, errors = [], hints = [] }) {
  const problems = errors.length === 0 ? [{ message }] : errors;
  return problems.map((/** @type {any} */ problem) =>
    toNotice('error', { ...problem, message: [problem.message, ...hints].join('\n') }),
  );
}

/**
 * Turns each warning that an interactive publish has to confirm into an error, because nobody can
 * confirm it on a runner.
 *
 * @type {(body: any) => Notice[]}
 */
function readWarnings({ warnings = [], doubts = [] }) {
  return warnings.map((/** @type {any} */ warning) => {
    if (!doubts.some((/** @type {any} */ { code }) => code === warning.code)) return toNotice('warning', warning);
    if (warning.code !== 'state_doubtful') return toNotice('error', warning);
    const advice = 'It may not be meant for the public: set "status" in the frontmatter (PUBLISHED or DRAFT).';
    return toNotice('error', { ...warning, message: `${warning.message}\n${advice}` });
  });
}

/**
 * Lists refusals and losses by destination. The check does not know which destinations are
 * connected.
 *
 * @type {(body: any) => Notice[]}
 */
function readPreflights({ destinations = [] }) {
  return destinations.flatMap((/** @type {any} */ { destination, label, refusal, losses = [] }) => {
    const name = `${destination} (${label})`;
    const refusals = refusal ? [{ ...refusal, message: `${name} would refuse this: ${refusal.message}` }] : [];
    return [
      ...refusals.map((found) => toNotice('warning', found)),
      ...losses.map((/** @type {any} */ loss) => toNotice('notice', { ...loss, message: `${name}: ${loss.message}` })),
    ];
  });
}

/** @type {(level: Notice['level'], entry: any) => Notice} */
function toNotice(level, { message, line, column }) {
  return { level, message: String(message), line, column };
}
