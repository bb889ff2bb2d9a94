/** Reads the inputs of action.yml from the environment. Reports all invalid ones in one error. */
import { Failure } from './failure.mjs';

/**
 * @typedef {object} Inputs
 * @property {string} token
 * @property {string} endpoint
 * @property {string} folder from the root of the repository, without outer slashes; may be empty
 * @property {string[]} files patterns relative to the folder
 * @property {string} base
 * @property {'check' | 'draft'} pullRequest
 * @property {boolean} dryRun
 */

/**
 * Removes the token from the environment, so that child processes do not inherit it.
 *
 * @type {(env: NodeJS.ProcessEnv) => Inputs}
 */
export function consumeInputs(env) {
  const read = (/** @type {string} */ name) => (env[`INPUT_${name}`] ?? '').trim();
  const token = read('TOKEN');
  delete env.INPUT_TOKEN;
  /** @type {string[]} */
  const problems = [];
  const choose = (/** @type {string} */ name, /** @type {string[]} */ choices) => {
    const value = read(name) || String(choices[0]);
    if (!choices.includes(value)) {
      const input = name.toLowerCase().replaceAll('_', '-');
      problems.push(
        `The input "${input}" is "${value}"; it must be ${choices.map((choice) => `"${choice}"`).join(' or ')}.`,
      );
    }
    return value;
  };
  const folder = read('FOLDER')
    .replace(/^(\.\/+)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '');
  if (/^\/|^[a-z]:|\\|(^|\/)\.\.(\/|$)/i.test(folder)) {
    problems.push(
      `The input "folder" is "${folder}"; it must be a folder inside the repository, with "/" between its parts.`,
    );
  }
  const base = read('BASE');
  if (base.startsWith('-')) problems.push(`The input "base" is "${base}"; it must be a commit, a branch or a tag.`);
  const files = read('FILES')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (!files.some((pattern) => !pattern.startsWith('!')))
    problems.push('The input "files" selects no file to publish.');
  const pullRequest = choose('PULL_REQUEST', ['check', 'draft']);
  const dryRun = choose('DRY_RUN', ['false', 'true']) === 'true';
  if (problems.length > 0) throw new Failure(problems.join('\n'));
  return {
    ...{ token, endpoint: read('ENDPOINT'), folder, files, base, dryRun },
    pullRequest: pullRequest === 'draft' ? 'draft' : 'check',
  };
}
