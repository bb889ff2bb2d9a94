/**
 * `npm run bench:document`: measures reading and rendering, compared with bare remark → rehype →
 * HTML, in the pool for small and large articles, and beside a hostile one. Texts come from
 * `../shared/corpus` (or COURANT_SHARED), else from examples and docs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toHtml } from 'hast-util-to-html';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { createDocumentPool, type DocumentPool } from '../api/documents/pool.ts';
import { deriveArticle } from '../article/derive.ts';
import { readDocument } from '../article/read-document.ts';
import { decodeText } from '../article/text/decode-text.ts';
import { median } from './measure.ts';

const SITE = { siteOrigin: 'https://courant.example' };
const ROUNDS = 7;
const commonMark = unified().use(remarkParse).use(remarkRehype).freeze();
const gfm = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).freeze();

const initialRss = rss();
await measureIdle();
const texts = loadTexts();
// Measured first, while the heap is small. Later the large article would fit into free heap space,
// and its memory would not be visible.
await measureLarge();
await measureRatio();
await measureSmall();
await measureHostile();
await measureLists();

async function measureIdle(): Promise<void> {
  const pool = createDocumentPool();
  await publish(pool, '# T\n\nx');
  await pause(500);
  report('idle pool, memory over the process without it', `${rss() - initialRss} MB`);
  await pool.close();
}

/**
 * Uses medians of alternating rounds, so that a busy machine slows both equally. Drops the first
 * round, which warms up the code.
 */
async function measureRatio(): Promise<void> {
  const times = { commonMark: [] as number[], gfm: [] as number[], whole: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const plain = time(() => renderBare(commonMark));
    const tables = time(() => renderBare(gfm));
    const started = performance.now();
    for (const { content, name } of texts) await deriveText(content, name);
    const derivation = performance.now() - started;
    if (round === 0) continue;
    times.commonMark.push(plain);
    times.gfm.push(tables);
    times.whole.push(derivation);
  }
  const [derivation, plain, tables] = [median(times.whole), median(times.commonMark), median(times.gfm)];
  const size = texts.reduce((sum, { content }) => sum + content.length, 0);
  report('texts', `${texts.length}, ${Math.round(size / 1024)} KiB`);
  report('bare remark → rehype → HTML, CommonMark', `${plain.toFixed(0)} ms`);
  report('bare remark → rehype → HTML, GFM', `${tables.toFixed(0)} ms`);
  report('whole derivation without highlighting', `${derivation.toFixed(0)} ms`);
  report('ratio to bare GFM (what is rendered here)', `${(derivation / tables).toFixed(2)} ×   (bound 2.5)`);
  report('ratio to bare CommonMark', `${(derivation / plain).toFixed(2)} ×   (bound 2.5)`);
}

function renderBare(processor: typeof gfm): void {
  for (const { body } of texts) toHtml(processor.runSync(processor.parse(body)));
}

async function deriveText(content: string, fileName: string): Promise<void> {
  const read = readDocument({ content, fileName, now: new Date() });
  if (read.ok) await deriveArticle(read.draft, { ...SITE, highlight: false });
}

async function measureSmall(): Promise<void> {
  const paragraph =
    'An ordinary paragraph about Node.js and GitHub, with [a link](https://example.com/), *emphasis* and `code`.\n\n';
  const content = `---\ntitle: A small article\ntags: [node, testing]\n---\n\n${paragraph.repeat(17)}`;
  const pool = createDocumentPool();
  for (let i = 0; i < 300; i += 1) await publish(pool, content);
  const times: number[] = [];
  for (let i = 0; i < 300; i += 1) times.push(await timeCall(pool, content));
  report(
    `small article (${content.length} characters) through the pool, warm`,
    `p50 ${quantile(times, 0.5)} ms, p95 ${quantile(times, 0.95)} ms`,
  );
  await pool.close();
}

/** Concatenates the texts of the corpus up to 1 MiB. */
async function measureLarge(): Promise<void> {
  const body = texts.map((text) => text.body).join('\n\n');
  const content = `# A large article\n\n${body.repeat(Math.ceil((1 << 20) / body.length)).slice(0, 1 << 20)}`;
  const before = rss();
  const pool = createDocumentPool({ maxThreads: 1 });
  await publish(pool, '# T\n\nx');
  let peak = rss();
  const watch = setInterval(() => {
    peak = Math.max(peak, rss());
  }, 10);
  const took = await timeCall(pool, content);
  clearInterval(watch);
  report('1 MiB article through the pool', `${took.toFixed(0)} ms   (bound 3,000 ms)`);
  report('1 MiB article, memory of its worker at its peak', `${peak - before} MB   (bound 600 MB)`);
  await pool.close();
}

/** A document that passes every limit before the parser and keeps it busy for seconds. */
async function measureHostile(): Promise<void> {
  const hostile = `# T\n\n${'- a\n\nb\n\n'.repeat(17_000)}`;
  const pool = createDocumentPool({ maxThreads: 2 });
  await Promise.all(['ada', 'bob'].map((author) => publish(pool, '# T\n\nx', author)));
  const started = performance.now();
  let ended = 0;
  const verdict = publish(pool, hostile, 'bob').then(
    () => 'rendered',
    (error: Error) => error.name,
  );
  const watched = verdict.finally(() => {
    ended = performance.now() - started;
  });
  const times: number[] = [];
  while (ended === 0) times.push(await timeCall(pool, '# T\n\nA few words.'));
  report('hostile article (136 KB)', `${await watched} after ${ended.toFixed(0)} ms   (bound 5,000 ms)`);
  report('others meanwhile', `${times.length} served, p50 ${quantile(times, 0.5)} ms, p99 ${quantile(times, 0.99)} ms`);
  await pool.close();
}

/**
 * Documents whose parsing could grow with the square of their lists, and documents that are
 * rejected before parsing, beside another author.
 */
async function measureLists(): Promise<void> {
  const documents: Record<string, string> = {
    'changelog of 4,000 lists': '## 1.2.3\n\n- Mends a thing.\n- Adds another.\n\n'.repeat(4_000),
    '4,000 quotations': '> What she said.\n\nWhat it means.\n\n'.repeat(4_000),
    '1 MB of bare addresses': 'https://example.com/a '.repeat(47_000),
    '1 MB of entities': '&amp;'.repeat(209_000),
    '200 KB of formulas': '$a$ '.repeat(50_000),
  };
  const pool = createDocumentPool({ maxThreads: 2 });
  await Promise.all(['ada', 'bob'].map((author) => publish(pool, '# T\n\nx', author)));
  const small = '# T\n\nA few words.';
  for (let i = 0; i < 300; i += 1) await publish(pool, small);
  const idle: number[] = [];
  for (let i = 0; i < 300; i += 1) idle.push(await timeCall(pool, small));
  report('another author, nobody beside', `p95 ${quantile(idle, 0.95)} ms`);
  for (const [name, body] of Object.entries(documents)) {
    const started = performance.now();
    let ended = 0;
    const verdict = publish(pool, `# T\n\n${body}`, 'bob')
      .then(
        () => 'rendered',
        () => 'refused',
      )
      .finally(() => {
        ended = performance.now() - started;
      });
    const times: number[] = [];
    while (ended === 0) times.push(await timeCall(pool, small));
    report(name, `${await verdict} after ${ended.toFixed(0)} ms; another author p95 ${quantile(times, 0.95)} ms`);
  }
  await pool.close();
}

interface Text {
  name: string;
  content: string;
  /** The text without frontmatter, as for the bare pipeline. */
  body: string;
}

function loadTexts(): Text[] {
  const shared = process.env.COURANT_SHARED ?? fileURLToPath(new URL('../../shared', import.meta.url));
  const repositoryFolders = ['../docs', '../examples'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
  const folders = existsSync(`${shared}/corpus`)
    ? readdirSync(`${shared}/corpus`).map((dialect) => `${shared}/corpus/${dialect}`)
    : repositoryFolders;
  const found: Text[] = [];
  for (const folder of folders.filter(existsSync)) {
    for (const name of readdirSync(folder)) {
      const text = readText(`${folder}/${name}`, name);
      if (text !== null) found.push(text);
    }
  }
  return found;
}

/** Returns null for a text that cannot be published. */
function readText(path: string, name: string): Text | null {
  const bytes = readFileSync(path);
  const content = bytes.toString('utf8').includes('\ufffd') ? '' : decodeText(bytes);
  const read = readDocument({ content, fileName: name, now: new Date() });
  return content !== '' && read.ok ? { name, content, body: read.draft.body } : null;
}

function publish(pool: DocumentPool, content: string, author = 'ada') {
  return pool.readAndRender(author, { input: { content, now: new Date() }, options: SITE });
}

async function timeCall(pool: DocumentPool, content: string): Promise<number> {
  const started = performance.now();
  await publish(pool, content);
  return performance.now() - started;
}

function time(task: () => void): number {
  const started = performance.now();
  task();
  return performance.now() - started;
}

function quantile(values: number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2);
}

function rss(): number {
  return Math.round(process.memoryUsage().rss / 1_000_000);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function report(what: string, value: string): void {
  process.stdout.write(`${what.padEnd(58)} ${value}\n`);
}
