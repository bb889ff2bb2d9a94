/** Runs the commands of the README and of the authors' guide against a real `npm start`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import type { DemoFile } from '../../scripts/start/demo/demo-file.ts';
import { type CourantProcess, makeSurroundings, readDemoFile, startCourant } from '../scripts/start/courant-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The first page of the guide installs the command line and signs in; the others rely on it. */
const PAGES = [
  ...['README.md', 'docs/guide/first-publish.md'],
  ...globSync('docs/guide/**/*.md', { cwd: ROOT }).filter((page) => page !== 'docs/guide/first-publish.md'),
];
/** This test has started Courant, and runs within `npm test`. */
const RUNS_ALREADY = /^npm (?:start|test)\b/;
const PAGE_TIME_LIMIT_MS = 120_000;

/**
 * Returns the shell blocks of a page, without those after a comment that states why they are not
 * run.
 */
function listCommands(page: string): string[] {
  const blocks: string[] = [];
  visit(
    unified()
      .use(remarkParse)
      .parse(readFileSync(join(ROOT, page), 'utf8')),
    'code',
    (node, index = 0, parent) => {
      const comment = parent?.children[index - 1];
      const isExcluded = comment?.type === 'html' && /^<!-- not run: \S/.test(comment.value);
      if (node.lang !== 'sh' || isExcluded) return;
      const lines = node.value.split('\n').filter((line) => !RUNS_ALREADY.test(line));
      if (lines.some((line) => line.trim() !== '' && !line.startsWith('#'))) blocks.push(lines.join('\n'));
    },
  );
  return blocks;
}

describe('the commands of the README and the guide', () => {
  let surroundings: Awaited<ReturnType<typeof makeSurroundings>>;
  let courant: CourantProcess;
  let demo: DemoFile;
  const folder = mkdtempSync(join(tmpdir(), 'courant-commands-'));

  before(async () => {
    surroundings = await makeSurroundings();
    courant = startCourant(surroundings.env);
    await courant.waitForLine(/Ctrl-C stops everything/, 300_000);
    demo = readDemoFile(surroundings.home);
  });

  after(async () => {
    courant.child.kill('SIGINT');
    await courant.ended;
    surroundings.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const page of PAGES) {
    const blocks = listCommands(page);
    if (blocks.length === 0) continue;
    it(`${page}: ${blocks.length} blocks run without an error`, { timeout: PAGE_TIME_LIMIT_MS }, async () => {
      const script = blocks
        .join('\n')
        .replaceAll('http://localhost:3000', demo.baseUrl)
        .replaceAll('courant_…', demo.token);
      const { status, output } = await runShell(script, page);
      assert.equal(status, 0, `${script}\n\n${output}`);
    });
  }

  /**
   * Each page has a folder of its own, in which the README finds the examples and the command line.
   */
  async function runShell(script: string, page: string) {
    const cwd = join(folder, page.replaceAll('/', '-'));
    mkdirSync(join(cwd, 'node_modules/.bin'), { recursive: true });
    writeFileSync(join(cwd, 'package.json'), '{}\n');
    cpSync(join(ROOT, 'examples'), join(cwd, 'examples'), { recursive: true });
    symlinkSync(join(ROOT, 'cli/bin/courant.js'), join(cwd, 'node_modules/.bin/courant'));
    const child = spawn('sh', ['-e', '-x', '-c', script], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...{ HOME: folder, npm_config_prefix: folder, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
        ...{ COURANT_ENDPOINT: demo.graphqlUrl, EMAIL: demo.email, PASSWORD: demo.password },
        ...{ TOKEN: demo.token, SERVICE_TOKEN: demo.token },
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const [status] = await once(child, 'close');
    return { status, output };
  }
});
