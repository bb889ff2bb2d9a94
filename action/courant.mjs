/** Runs the command line for one file and parses the JSON that it prints. */
import { execFile } from 'node:child_process';

/**
 * @typedef {object} Notice a message about a file
 * @property {'error' | 'warning' | 'notice'} level
 * @property {string} message
 * @property {number} [line]
 * @property {number} [column]
 */

/**
 * @typedef {object} Answer
 * @property {boolean} ok
 * @property {boolean} isFileAtFault whether this file caused the failure
 * @property {string} [title]
 * @property {string} [url]
 * @property {string} [action]
 * @property {string} [status]
 * @property {Notice[]} notices
 */

/** @typedef {(file: string, flags: string[], env?: NodeJS.ProcessEnv) => Promise<Answer>} Courant */

/** The exit code for an invalid document or invalid arguments. */
const INVALID_EXIT_CODE = 2;

/**
 * @param {string} launcher the path of the command line program
 * @param {string} folder the folder that file names are relative to
 * @returns {Courant}
 */
export function createCourantRunner(launcher, folder) {
  return (file, flags, env = {}) =>
    new Promise((resolve) => {
      const args = [launcher, 'publish', '--json', ...flags, '--', file];
      // With CI set, the command line writes no courant.json, because the checkout is discarded.
      const variables = { ...process.env, ...env, NO_COLOR: '1', CI: 'true' };
      const options = { cwd: folder, env: variables, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(process.execPath, args, options, (error, stdout, stderr) => {
        resolve(readAnswer(error?.code ?? 0, stdout, stderr));
      });
      // Closed, because nobody can answer a prompt.
      child.stdin?.end();
    });
}

/**
 * @param {number | string} code
 * @param {string} stdout
 * @param {string} stderr
 * @returns {Answer}
 */
function readAnswer(code, stdout, stderr) {
  const isFileAtFault = code === INVALID_EXIT_CODE;
  const body = readLastObject(stdout);
  if (body === null || (code === 0) !== (body.success === true)) {
    const message = `The command line ended with exit code ${code} and without a result: ${stderr.trim().slice(0, 1_000)}`;
    return { ok: false, isFileAtFault, notices: [{ level: 'error', message }] };
  }
  if (body.success !== true) return { ok: false, isFileAtFault, notices: readFailure(body) };
  return {
    ...{ ok: true, isFileAtFault: false, title: body.summary?.title, url: body.data?.url, action: body.action },
    ...{ status: body.data?.status, notices: [...readWarnings(body), ...readPreflights(body)] },
  };
}

/**
 * Parses the whole text as one object, or else its last line.
 *
 * @param {string} text
 * @returns {any}
 */
function readLastObject(text) {
  for (const candidate of [text, text.trimEnd().split('\n').at(-1) ?? '']) {
    try {
      return JSON.parse(candidate);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return null;
}

/**
 * @param {any} body
 * @returns {Notice[]}
 */
function readFailure({ message, errors = [], hints = [] }) {
  const advice = hints.length === 0 ? '' : `\n${hints.join('\n')}`;
  if (errors.length === 0) return [{ level: 'error', message: `${message}${advice}` }];
  return errors.map((/** @type {any} */ error) =>
    toNotice('error', { ...error, message: `${error.message}${advice}` }),
  );
}

/**
 * Turns each warning that an interactive publish has to confirm into an error, because nobody can
 * confirm it on a runner.
 *
 * @param {any} body
 * @returns {Notice[]}
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
 * @param {any} body
 * @returns {Notice[]}
 */
function readPreflights({ destinations = [] }) {
  return destinations.flatMap((/** @type {any} */ { destination, label, refusal, losses = [] }) => {
    const name = `${destination} (${label})`;
    const notices = losses.map((/** @type {any} */ loss) =>
      toNotice('notice', { ...loss, message: `${name}: ${loss.message}` }),
    );
    if (!refusal) return notices;
    return [toNotice('warning', { ...refusal, message: `${name} would refuse this: ${refusal.message}` }), ...notices];
  });
}

/**
 * @param {Notice['level']} level
 * @param {any} entry
 * @returns {Notice}
 */
function toNotice(level, { message, line, column }) {
  return {
    ...{ level, message: String(message) },
    ...(Number.isSafeInteger(line) ? { line } : {}),
    ...(Number.isSafeInteger(column) ? { column } : {}),
  };
}
