import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import type { Nodes } from 'mdast';
import { toString as toText } from 'mdast-util-to-string';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';

const ROOT = new URL('../../', import.meta.url);
const PAGES = globSync(
  ['*.md', 'docs/**/*.md', 'bench/*.md', 'cli/*.md', '.github/**/*.md', 'examples/repository/*.md'],
  {
    cwd: fileURLToPath(ROOT),
  },
);

function parse(path: string): Nodes {
  return unified()
    .use(remarkParse)
    .parse(readFileSync(new URL(path, ROOT), 'utf8'));
}

/** Returns the addresses of links and pictures, also of those in HTML. */
function listLinks(tree: Nodes): string[] {
  const links: string[] = [];
  visit(tree, (node) => {
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') links.push(node.url);
    if (node.type === 'html')
      for (const [, url] of node.value.matchAll(/(?:href|src|srcset)="([^"]+)"/g)) links.push(url ?? '');
  });
  return links;
}

/** GitHub's anchors: its slug of each heading, numbered if repeated. */
function listAnchors(path: string): Set<string> {
  const slugger = new GithubSlugger();
  const anchors = new Set<string>();
  visit(parse(path), 'heading', (heading) => void anchors.add(slugger.slug(toText(heading))));
  return anchors;
}

test('every relative link of the documentation leads to a file, and to a heading of it', () => {
  const broken = PAGES.flatMap((page) =>
    listLinks(parse(page)).flatMap((link) => {
      if (/^[a-z]+:/.test(link)) return [];
      const url = new URL(link, new URL(page, ROOT));
      const anchor = decodeURIComponent(url.hash.slice(1));
      url.hash = '';
      const path = fileURLToPath(url);
      if (!existsSync(path)) return [`${page}: ${link}`];
      const isKnown =
        anchor === '' || statSync(path).isDirectory() || !path.endsWith('.md') || listAnchors(url.href).has(anchor);
      return isKnown ? [] : [`${page}: ${link}`];
    }),
  );
  assert.deepEqual(broken, []);
});

test('an index page links to every page of its folder, and the README to every index page', () => {
  const indexes = globSync('docs/**/README.md', { cwd: fileURLToPath(ROOT) });
  const resolve = (page: string) => listLinks(parse(page)).map((link) => new URL(link, new URL(page, ROOT)).href);
  const missing = indexes.flatMap((index) => {
    const folder = index.slice(0, -'README.md'.length);
    const pages = globSync(`${folder}*.md`, { cwd: fileURLToPath(ROOT) }).filter((page) => page !== index);
    return pages.filter((page) => !resolve(index).includes(new URL(page, ROOT).href));
  });
  const doors = indexes.filter((index) => index.split('/').length === 3);
  assert.ok(doors.length >= 4);
  const readme = resolve('README.md').map((link) => link.replace(/\/$/, '/README.md'));
  assert.deepEqual([missing, doors.filter((door) => !readme.includes(new URL(door, ROOT).href))], [[], []]);
});

test('every path of documentation that code and settings name exists', () => {
  const files = globSync(
    [
      '{action,activities,api,article,browser,cli,delivery,destinations,mail,ops,runtime,sandbox,scripts,sources,store,temporal,test,worker,workflows,bench}/**/*.{ts,mjs,yml,service}',
      '.env.example',
      'action.yml',
      'compose.yaml',
      'Dockerfile',
    ],
    { cwd: fileURLToPath(ROOT), exclude: (name) => name.includes('node_modules') || name.endsWith('/dist') },
  );
  const missing = files.flatMap((file) =>
    [...readFileSync(new URL(file, ROOT), 'utf8').matchAll(/\bdocs\/[\w/-]+\.(?:md|graphql)/g)].flatMap(([path]) =>
      existsSync(new URL(path, ROOT)) || path === 'docs/README.md' ? [] : [`${file}: ${path}`],
    ),
  );
  assert.deepEqual(missing, []);
});
