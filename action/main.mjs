/**
 * Entry point of the GitHub Action (docs/guide/ci.md). Plain JavaScript for Node 20.0 or later
 * without packages: it runs directly from the checkout.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listChanges } from './changes.mjs';
import { createCourantRunner } from './courant.mjs';
import { Failure } from './failure.mjs';
import { openRepository } from './git.mjs';
import { consumeInputs } from './inputs.mjs';
import { createPlan } from './plan.mjs';
import { publishChanges } from './publish-changes.mjs';
import { addSummary, annotate, log, setOutputs } from './runner.mjs';
import { formatSummary } from './summary.mjs';

/** @typedef {import('./publish-changes.mjs').Outcome} Outcome */

const { env } = process;

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  setOutputs(env, { published: 0, urls: [] });
  annotate({ level: 'error', title: 'Nothing was published', message: error.message });
  addSummary(
    env,
    formatSummary({ headline: 'Nothing was published', reasons: error.message.split('\n'), outcomes: [] }),
  );
  process.exitCode = 1;
}

/**
 * Returns whether no file failed.
 *
 * @type {() => Promise<boolean>}
 */
async function run() {
  const inputs = consumeInputs(env);
  const folder = env.GITHUB_WORKSPACE ?? process.cwd();
  const git = await openRepository(folder);
  const { mode, base, reasons } = await createPlan(readEvent(), inputs, git);
  for (const reason of reasons) log(reason);
  if (mode === 'publish' || mode === 'draft') requireAccess(inputs);
  const changes = mode === 'nothing' ? [] : await listChanges(git, base, inputs);
  log(`${count(changes.length, 'file')} to check in ${inputs.folder || 'the repository'}.`);
  // Without this warning, a misspelt folder would look like a folder without changes.
  if (!existsSync(join(folder, inputs.folder))) {
    const message = `There is no folder "${inputs.folder}" in this commit. Check the input "folder".`;
    annotate({ level: 'warning', message });
    reasons.push(message);
  }

  const courant = createCourantRunner(findLauncher(), folder);
  const access = { SERVICE_TOKEN: inputs.token, COURANT_ENDPOINT: inputs.endpoint };
  const outcomes = await publishChanges(changes, { mode, courant, env: access });

  const published = outcomes.filter(({ url }) => url !== undefined);
  const failed = outcomes.filter(({ what }) => what === 'invalid' || what === 'failed');
  const missed = outcomes.filter(({ what }) => what === 'not published' || what === 'failed');
  const advice = missed.length === 0 ? [] : [describeMissed(missed.length, base)];
  const headline = describe(published.length, failed.length, mode);
  for (const outcome of outcomes) reportOutcome(outcome);
  for (const line of advice) log(line);
  log(headline);
  setOutputs(env, { published: published.length, urls: published.map(({ url }) => url) });
  addSummary(env, formatSummary({ headline, reasons: [...reasons, ...advice], outcomes }));
  return failed.length === 0;
}

/** @type {() => import('./plan.mjs').GitHubEvent} */
function readEvent() {
  const name = env.GITHUB_EVENT_NAME ?? '';
  if (name === '') throw new Failure('GITHUB_EVENT_NAME is not set: this program runs as a GitHub Action.');
  return { name, payload: env.GITHUB_EVENT_PATH ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8')) : {} };
}

/** @type {(inputs: import('./inputs.mjs').Inputs) => void} */
function requireAccess({ token, endpoint }) {
  const missing = [
    ...(token === '' ? ['The input "token" is empty: store a developer token as a secret and pass it here.'] : []),
    ...(endpoint === '' ? ['The input "endpoint" is empty: pass the GraphQL address of the server.'] : []),
  ];
  if (missing.length > 0) throw new Failure(missing.join('\n'));
}

/** The path where action.yml installs the command line. */
function findLauncher() {
  return join(env.RUNNER_TEMP ?? '', 'courant-cli/node_modules/@courant/cli/bin/courant.js');
}

/** @type {(outcome: Outcome) => void} */
function reportOutcome({ file, what, url, notices }) {
  log(`${what}: ${file}${url === undefined ? '' : ` ${url}`}`);
  for (const notice of notices) annotate({ ...notice, file });
}

/** @type {(published: number, failed: number, mode: import('./plan.mjs').Plan['mode']) => string} */
function describe(published, failed, mode) {
  if (failed > 0 && published > 0) return `${count(published, 'file')} published, ${failed} failed`;
  if (failed > 0) return `Nothing was published: ${count(failed, 'file')} cannot be published`;
  if (mode === 'check') return 'All files can be published';
  if (published === 0) return 'Nothing to publish';
  return mode === 'draft' ? `${count(published, 'file')} saved as drafts` : `${count(published, 'file')} published`;
}

/** @type {(missed: number, base: string | null) => string} */
function describeMissed(missed, base) {
  const since = base === null ? '' : `, or with "base: ${base}"`;
  return (
    `${count(missed, 'file')} of this run not published. The next push only includes its own changes: when the cause is fixed, run the workflow ` +
    `again manually (workflow_dispatch)${since}. Published articles are updated, never duplicated.`
  );
}

/** @type {(number: number, noun: string) => string} */
function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
