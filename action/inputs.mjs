/** Reads the inputs of action.yml from the environment, and says every one that is wrong. */
import { Failure } from './failure.mjs';

/**
 * @typedef {object} Inputs
 * @property {string} token
 * @property {string} endpoint
 * @property {string} folder from the root of the repository, without slashes at its ends; empty for all of it
 * @property {string[]} files patterns in the folder
 * @property {string} base
 * @property {'check' | 'draft'} pullRequest
 * @property {boolean} dryRun
 */

/**
 * Takes the token out of the environment, so that no program that is started inherits it.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Inputs}
 */
export function takeInputs(env) {
  const read = (/** @type {string} */ name) => (env[`INPUT_${name}`] ?? '').trim();
  const token = read('TOKEN');
  delete env.INPUT_TOKEN;
  /** @type {string[]} */
  const wrong = [];
  const choose = (/** @type {string} */ name, /** @type {string[]} */ choices) => {
    const given = read(name) || String(choices[0]);
    if (!choices.includes(given)) {
      const input = name.toLowerCase().replaceAll('_', '-');
      wrong.push(
        `The input "${input}" is "${given}"; it takes ${choices.map((choice) => `"${choice}"`).join(' or ')}.`,
      );
    }
    return given;
  };
  const folder = read('FOLDER')
    .replace(/^(\.\/+)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '');
  if (/^\/|^[a-z]:|\\|(^|\/)\.\.(\/|$)/i.test(folder)) {
    wrong.push(
      `The input "folder" is "${folder}"; it takes a folder inside the repository, with "/" between its parts.`,
    );
  }
  const base = read('BASE');
  if (base.startsWith('-')) wrong.push(`The input "base" is "${base}"; it takes a commit, a branch or a tag.`);
  const files = read('FILES')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (!files.some((pattern) => !pattern.startsWith('!'))) wrong.push('The input "files" names no file to publish.');
  const pullRequest = choose('PULL_REQUEST', ['check', 'draft']);
  const dryRun = choose('DRY_RUN', ['false', 'true']) === 'true';
  if (wrong.length > 0) throw new Failure(wrong.join('\n'));
  return {
    ...{ token, endpoint: read('ENDPOINT'), folder, files, base, dryRun },
    pullRequest: pullRequest === 'draft' ? 'draft' : 'check',
  };
}
