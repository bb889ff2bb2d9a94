/**
 * The workflows of this repository and of `examples/repository`. GitHub itself does not run here.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { parse } from 'yaml';
import { explainAbsence, findTool } from '../../scripts/check/set-up.ts';
import { checkWorkflow } from '../action/support/github-parsers.ts';

interface Step {
  uses?: string;
  run?: string;
}
interface Job {
  steps?: Step[];
  permissions?: Record<string, string>;
}
interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const OURS = '.github/workflows';
const COPIED = 'examples/repository/.github/workflows';
const files = [OURS, COPIED].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
const read = (file: string) => parse(readFileSync(file, 'utf8')) as Workflow;
const listSteps = (file: string) => Object.values(read(file).jobs).flatMap(({ steps }) => steps ?? []);
const listScripts = (file: string) => {
  const { runs, jobs } = parse(readFileSync(file, 'utf8')) as Partial<Workflow> & { runs?: Job };
  return [...Object.values(jobs ?? {}), runs ?? {}].flatMap(({ steps }) =>
    (steps ?? []).flatMap(({ run }) => run ?? []),
  );
};

for (const file of files) {
  test(`${file} passes GitHub’s own parser`, () => {
    assert.deepEqual(checkWorkflow(readFileSync(file, 'utf8')), []);
  });

  test(`${file} uses actions by commit, with the version beside it`, () => {
    const lines = readFileSync(file, 'utf8').split('\n');
    for (const line of lines.filter((text) => /^\s*(?:- )?uses: (?!\.\/)/.test(text)))
      assert.match(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test(`${file} can only read, except in jobs that publish`, () => {
    const { permissions, jobs } = read(file);
    assert.ok(permissions !== undefined);
    const isRelease = file.endsWith('/release.yml');
    assert.deepEqual(permissions, isRelease ? {} : { contents: 'read' });
    for (const [name, job] of Object.entries(jobs)) assert.equal(job.permissions !== undefined, isRelease, name);
  });

  test(`no step of ${file} inserts an expression into a script`, () => {
    for (const { run = '' } of listSteps(file)) assert.ok(!run.includes('${{'), run);
  });

  test(`${file} runs existing programs and npm scripts`, () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const runs = listSteps(file).map(({ run = '' }) => run);
    for (const text of runs) {
      for (const [, name = ''] of text.matchAll(/npm run ([\w:-]+)/g)) assert.ok(name in scripts, name);
      for (const [, path = ''] of text.matchAll(/(?:^|\s)(?:node|bash) ((?:scripts|\.ci)\/\S+)/g))
        assert.ok(existsSync(path), path);
    }
  });
}

describe('the linters', () => {
  const linters = findTool('LINTERS');
  const skip = linters === undefined && explainAbsence('LINTERS');
  const lint = (program: string, args: readonly string[]) =>
    spawnSync(join(linters ?? '', 'bin', program), args, { encoding: 'utf8' });

  it('accept the workflows and action.yml', { skip }, () => {
    const { status, stdout } = lint('zizmor', ['--offline', '--min-severity=medium', ...files, 'action.yml']);
    assert.equal(status, 0, stdout);
  });

  it('accept the Dockerfile', { skip }, () => {
    const { status, stdout } = lint('hadolint', ['--failure-threshold', 'warning', 'Dockerfile']);
    assert.equal(status, 0, stdout);
  });

  it('accept the scripts of the workflows, of action.yml and of .ci/run', { skip }, () => {
    const scripts = [...files, 'action.yml'].flatMap((file) => listScripts(file));
    assert.ok(scripts.length > 5);
    for (const input of [...scripts, readFileSync('.ci/run', 'utf8')]) {
      const { status, stdout } = spawnSync(join(linters ?? '', 'bin/shellcheck'), ['--shell=bash', '-'], {
        input,
        encoding: 'utf8',
      });
      assert.equal(status, 0, `${input}\n${stdout}`);
    }
  });
});
