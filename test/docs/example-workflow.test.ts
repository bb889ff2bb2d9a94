/**
 * The last step of the workflow in `examples/repository`, run in a Git repository like GitHub runs
 * it. Instead of the command line, a program lists the files that it receives.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';

const FILE = 'examples/repository/.github/workflows/publish.yml';
interface Step {
  name?: string;
  run?: string;
  shell?: string;
}
const steps = (parse(readFileSync(FILE, 'utf8')) as { jobs: { publish: { steps: Step[] } } }).jobs.publish.steps;
const step = steps.find(({ name }) => name === 'Publish the changed articles');

const folder = mkdtempSync(join(tmpdir(), 'courant-workflow-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'bin'));
writeFileSync(join(folder, 'bin/courant'), '#!/bin/sh\nprintf "%s\\n" "$@"\n');
chmodSync(join(folder, 'bin/courant'), 0o755);
const repository = join(folder, 'blog');
mkdirSync(join(repository, 'posts'), { recursive: true });

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: repository,
    encoding: 'utf8',
  }).trim();
const write = (name: string, text: string) => writeFileSync(join(repository, 'posts', name), `${text}\n`);

function run(before: string, cwd = repository) {
  const options = step?.shell === 'bash' ? ['--noprofile', '--norc', '-eo', 'pipefail'] : ['-e'];
  const env = {
    ...process.env,
    PATH: `${folder}/bin:${process.env.PATH}`,
    BEFORE: before,
    PICTURES: 'https://a.example/',
  };
  const { status, stdout } = spawnSync('bash', [...options, '-c', step?.run ?? ''], { cwd, env, encoding: 'utf8' });
  const [, , , ...files] = stdout.trim().split('\n');
  return { status, files };
}

function commit(message: string): string {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
  return git('rev-parse', 'HEAD');
}

test('a push publishes its added, changed and renamed articles; a first push publishes all', () => {
  git('init', '--quiet', '--initial-branch', 'main');
  write('one.md', '# One');
  write('two words.md', '# Two');
  write('three.md', '# Three');
  write('four.mdx', '# Four');
  write('picture.svg', '<svg/>');
  const first = commit('First');
  const all = ['posts/four.mdx', 'posts/one.md', 'posts/three.md', 'posts/two words.md'];
  for (const before of ['0'.repeat(40), 'f'.repeat(40), '']) assert.deepEqual(run(before), { status: 0, files: all });
  assert.deepEqual(run(first), { status: 0, files: [] });

  git('rm', '--quiet', 'posts/one.md');
  git('mv', 'posts/three.md', 'posts/drei.md');
  write('two words.md', '# Two, again');
  write('vier "4" $(id).md', '# Four');
  commit('Second');
  assert.deepEqual(run(first), {
    status: 0,
    files: ['posts/drei.md', 'posts/two words.md', 'posts/vier "4" $(id).md'],
  });
});

test('a failure of git fails the step', () => {
  assert.notEqual(run('0'.repeat(40), folder).status, 0);
});
