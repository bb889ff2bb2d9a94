/** Runs the commands of the README and of the authors' guide against a real `npm start`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { visit } from 'unist-util-visit';
import type { DemoFile } from '../../scripts/start/demo/demo-file.ts';
import { type CourantProcess, makeSurroundings, readDemoFile, startCourant } from '../scripts/start/courant-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = globSync(['README.md', 'docs/guide/**/*.md'], { cwd: ROOT });
/** This test has started Courant, and runs within `npm test`. */
const RUNS_ALREADY = /^npm (?:start|test)\b/;
const PAGE_TIME_LIMIT_MS = 120_000;

/** Returns the shell blocks of a page, without those after a comment that states why they are not run. */
export function listCommands(page: string): string[] {
  const blocks: string[] = [];
  visit(fromMarkdown(readFileSync(join(ROOT, page), 'utf8')), 'code', (node, index = 0, parent) => {
    const comment = parent?.children[index - 1];
    const isExcluded = comment?.type === 'html' && /^<!-- not run: \S/.test(comment.value);
    if (node.lang !== 'sh' || isExcluded) return;
    const lines = node.value.split('\n').filter((line) => !RUNS_ALREADY.test(line));
    if (lines.some((line) => line.trim() !== '' && !line.startsWith('#'))) blocks.push(lines.join('\n'));
  });
  return blocks;
}

/** A copy of what a checkout offers to these commands: the examples and the installed command line. */
function makeCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'courant-commands-'));
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}\n');
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  mkdirSync(join(folder, 'home'));
  symlinkSync(join(ROOT, 'cli/bin/courant.js'), join(folder, 'node_modules/.bin/courant'));
  return folder;
}

describe('the commands of the README and the guide', () => {
  let surroundings: Awaited<ReturnType<typeof makeSurroundings>>;
  let courant: CourantProcess;
  let demo: DemoFile;
  let checkout: string;

  before(async () => {
    checkout = makeCheckout();
    surroundings = await makeSurroundings();
    courant = startCourant(surroundings.env);
    await courant.waitForLine(/Ctrl-C stops everything/, 300_000);
    demo = readDemoFile(surroundings.home);
  });

  after(async () => {
    courant.child.kill('SIGINT');
    await courant.ended;
    surroundings.remove();
    rmSync(checkout, { recursive: true, force: true });
  });

  for (const page of PAGES) {
    const blocks = listCommands(page);
    if (blocks.length === 0) continue;
    it(`${page}: ${blocks.length} blocks run without an error`, { timeout: PAGE_TIME_LIMIT_MS }, async () => {
      const script = blocks.join('\n').replaceAll('http://localhost:3000', demo.baseUrl).replaceAll('courant_…', demo.token);
      const { status, output } = await runShell(script, checkout, demo);
      assert.equal(status, 0, `${page}\n${script}\n\n${output}`);
    });
  }
});

async function runShell(script: string, cwd: string, { token, baseUrl }: DemoFile) {
  const { PATH, CHROMIUM_PATH: _, ...rest } = process.env;
  const child = spawn('sh', ['-e', '-x', '-c', script], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ NODE_COMPILE_CACHE: rest.NODE_COMPILE_CACHE, HOME: join(cwd, 'home'), TOKEN: token, API: baseUrl },
      PATH: `${join(cwd, 'node_modules/.bin')}:${PATH}`,
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
