/** Parts of the scripts that need no page: files, stored texts, and calls that are combined. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { coalesce } from '../../browser/desk/coalesce.ts';
import { type FoundFiles, listChosen, listDropped } from '../../browser/write/files/list-dropped.ts';
import { readFile } from '../../browser/write/files/read-file.ts';
import { listTexts, removeText, storeText } from '../../browser/write/text-storage.ts';

const MIB = 1024 * 1024;

const chosen = (...paths: string[]): FoundFiles =>
  listChosen(
    paths.map((path) => Object.assign(new File([], path), { webkitRelativePath: path.includes('/') ? path : '' })),
  );
const paths = ({ files, ...rest }: FoundFiles) => ({ ...rest, paths: files.map(({ path }) => path) });

test('chosen Markdown files are listed in order of their names, without those of tools', () => {
  assert.deepEqual(
    paths(chosen('post-10.md', 'post-2.MD', 'a/b.mdx', 'c.markdown', 'd.mdown', 'e.mkd', 'f.txt', 'g.md.bak', 'amd')),
    { others: 3, isTruncated: false, paths: ['a/b.mdx', 'c.markdown', 'd.mdown', 'e.mkd', 'post-2.MD', 'post-10.md'] },
  );
  assert.deepEqual(
    paths(
      chosen('.git/a.md', 'x/.hidden.md', 'node_modules/a.md', 'vendor/a.md', 'vendors/a.md', 'x/node_modules2/a.md'),
    ),
    { others: 4, isTruncated: false, paths: ['vendors/a.md', 'x/node_modules2/a.md'] },
  );
});

test('at most 500 files are listed, and the others are counted', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.md`);
  const full = chosen(...names(500));
  assert.deepEqual([full.files.length, full.others, full.isTruncated], [500, 0, false]);
  const more = chosen(...names(502));
  assert.deepEqual([more.files.length, more.others, more.isTruncated], [500, 2, true]);
});

type Tree = { [name: string]: Tree | 'file' | 'unreadable' };
function createEntry(name: string, content: Tree[string], parent = ''): object {
  const fullPath = `${parent}/${name}`;
  if (typeof content === 'string') {
    const file = (resolve: (file: File) => void, reject: (error: Error) => void) =>
      content === 'file' ? resolve(new File([], name)) : reject(new Error('gone'));
    return { ...{ name, fullPath, isFile: true, isDirectory: false }, file };
  }
  const children = Object.entries(content).map(([child, inner]) => createEntry(child, inner, fullPath));
  // Like browsers, in batches.
  const createReader = () => ({ readEntries: (resolve: (batch: object[]) => void) => resolve(children.splice(0, 2)) });
  return { ...{ name, fullPath, isFile: false, isDirectory: true }, createReader };
}
const drop = (tree: Tree, files: File[] = []) =>
  listDropped({
    items: Object.entries(tree).map(([name, content]) => ({ webkitGetAsEntry: () => createEntry(name, content) })),
    files,
  } as unknown as DataTransfer);

test('dropped folders are searched completely, except for those of tools', async () => {
  const tree: Tree = {
    posts: { 'b.md': 'file', 'a.md': 'file', 'c.txt': 'file', deep: { 'd.md': 'file' }, 'gone.md': 'unreadable' },
    '.git': { 'x.md': 'file' },
    node_modules: { 'x.md': 'file' },
    'single.md': 'file',
  };
  assert.deepEqual(paths(await drop(tree)), {
    ...{ others: 2, isTruncated: false, paths: ['posts/a.md', 'posts/b.md', 'posts/deep/d.md', 'single.md'] },
  });
  // A browser without entries.
  assert.deepEqual(paths(await drop({}, [new File([], 'a.md')])), { others: 0, isTruncated: false, paths: ['a.md'] });
});

test('a search ends after 20,000 entries', async () => {
  const many = (count: number): Tree =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, 'file']));
  const full = await drop(many(20_000));
  assert.deepEqual([full.others, full.isTruncated], [20_000, false]);
  const more = await drop(many(20_001));
  assert.deepEqual([more.others, more.isTruncated], [20_000, true]);
});

test('a file is read as text of at most one mebibyte', async () => {
  const read = async (content: string | Uint8Array<ArrayBuffer>, name = 'a.md') => {
    const result = await readFile(new File([content], name));
    return 'text' in result ? result.text.length : result.problem;
  };
  assert.equal(await read('# Title\n'), 8);
  assert.equal(await read('x'.repeat(MIB)), MIB);
  assert.equal(await read('x'.repeat(MIB + 1)), 'The file is too large: it has 1.0 MiB; the limit is 1 MiB.');
  // UTF-16 with a byte order mark, in twice the bytes of the text that is sent.
  const utf16 = (characters: number) =>
    new Uint8Array(
      [0xff, 0xfe, ...new Uint8Array(2 * characters)].map((byte, at) => (at < 2 ? byte : at % 2 ? 0 : 0x78)),
    );
  assert.equal(await read(utf16(10)), 10);
  assert.equal(await read(new Uint8Array(2 * MIB + 3)), 'The file is too large: it has 2.0 MiB; the limit is 1 MiB.');
  assert.equal(await read(new Uint8Array(2 * MIB + 2)), 'This is not a text file.');
  assert.equal(await read('a\u0000b'), 'This is not a text file.');
  for (const blank of ['', ' \n\t']) assert.equal(await read(blank), 'The file is empty.');
  assert.match(
    String(await read(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))),
    /^Pictures cannot be uploaded yet\./,
  );
  assert.match(String(await read(new Uint8Array([0x23, 0xc4, 0x70]))), /not valid UTF-8/);
  const broken = new File([], 'a.md');
  broken.slice = () => {
    throw new Error('The file was removed.');
  };
  assert.deepEqual(await readFile(broken), { problem: 'The file was removed.' });
  broken.slice = () => {
    throw 'x';
  };
  assert.deepEqual(await readFile(broken), { problem: 'The file cannot be read.' });
});

/** A storage of this many entries. */
function provideStorage(t: TestContext, maxEntries: number): Record<string, string> {
  const entries: Record<string, string> = {};
  const methods = {
    getItem: (name: string) => entries[name] ?? null,
    setItem(name: string, value: string) {
      if (!(name in entries) && Object.keys(entries).length >= maxEntries) throw new Error('full');
      entries[name] = value;
    },
    removeItem: (name: string) => void delete entries[name],
  };
  const storage = new Proxy(methods, {
    ownKeys: () => Reflect.ownKeys(entries),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
  const former = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: storage });
  t.after(() =>
    former
      ? Object.defineProperty(globalThis, 'localStorage', former)
      : Reflect.deleteProperty(globalThis, 'localStorage'),
  );
  return entries;
}
const fields = (at: number) => ({ text: `Text ${at}`, seen: 's', fileName: 'f.md', at });

test('stored texts are listed newest first, without those of other names and formats', (t) => {
  const entries = provideStorage(t, 100);
  assert.ok(storeText('courant.text.ann.new.a', fields(1)));
  assert.ok(storeText('courant.text.ann.new.b', fields(2)));
  storeText('courant.text.bob.new.c', fields(3));
  Object.assign(entries, {
    'courant.text.ann.new.x': 'no JSON',
    'courant.text.ann.new.y': '{"text":7}',
    'courant.text.ann.new.z': '{"text":"bare"}',
  });
  assert.deepEqual(listTexts('courant.text.ann.'), [
    { name: 'courant.text.ann.new.b', ...fields(2) },
    { name: 'courant.text.ann.new.a', ...fields(1) },
    { name: 'courant.text.ann.new.z', text: 'bare', seen: '', fileName: '', at: 0 },
  ]);
  removeText('courant.text.ann.new.b');
  assert.deepEqual(listTexts('courant.text.ann.new.b'), []);
});

test('each person keeps the twenty newest texts, whatever their articles', (t) => {
  provideStorage(t, 100);
  storeText('courant.text.bob.new.x', fields(0));
  for (let at = 1; at <= 20; at += 1) storeText(`courant.text.ann.${at % 2 ? 'new' : 'article'}.${at}`, fields(at));
  assert.equal(listTexts('courant.text.ann.').length, 20);
  // The same name replaces its text.
  storeText('courant.text.ann.new.1', fields(21));
  assert.equal(listTexts('courant.text.ann.').length, 20);
  storeText('courant.text.ann.new.x', fields(22));
  const times = listTexts('courant.text.ann.').map(({ at }) => at);
  assert.deepEqual([times.length, times[0], times.at(-1)], [20, 22, 3]);
  assert.equal(listTexts('courant.text.bob.').length, 1);
});

test('without space or permission nothing is stored, and nothing is removed', (t) => {
  provideStorage(t, 1);
  assert.equal(storeText('courant.text.ann.new.a', fields(1)), true);
  assert.equal(storeText('courant.text.ann.new.b', fields(2)), false);
  assert.equal(listTexts('courant.').length, 1);
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new Error('forbidden');
    },
  });
  assert.deepEqual(listTexts('courant.'), []);
  assert.equal(storeText('courant.text.ann.new.a', fields(1)), false);
  removeText('courant.text.ann.new.a');
});

test('calls that arrive together run once, one run at a time, and each waits for a run after it', async () => {
  const log: string[] = [];
  let runs = 0;
  const task = coalesce(async () => {
    runs += 1;
    const run = runs;
    log.push(`begin ${run}`);
    await new Promise((resolve) => setTimeout(resolve, 60));
    log.push(`end ${run}`);
  });
  const first = [task(), task()];
  await new Promise((resolve) => setTimeout(resolve, 30));
  const second = task();
  await Promise.all(first);
  assert.deepEqual(log, ['begin 1', 'end 1']);
  const ended = performance.now();
  await second;
  assert.deepEqual(log, ['begin 1', 'end 1', 'begin 2', 'end 2']);
  // It pauses for as long as the first run took.
  assert.ok(performance.now() - ended > 110, `${performance.now() - ended} ms`);
  const failing = coalesce(() => Promise.reject(new Error('no')));
  await assert.rejects(failing(), { message: 'no' });
  await assert.rejects(failing(), { message: 'no' });
});
