import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sharedPath } from '../support/shared-data.ts';
import { CODE } from './support/code-samples.ts';
import { derive } from './support/documents.ts';

const { skip: withoutCorpus } = sharedPath('corpus');
const RENDER_CORPUS = fileURLToPath(new URL('./support/render-corpus.ts', import.meta.url));

/** Hashes of all that is derived from each document, by a process of its own that takes them in this order. */
async function renderCorpus(...order: string[]): Promise<Map<string, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [RENDER_CORPUS, ...order], { maxBuffer: 2 ** 24 });
  return new Map(JSON.parse(stdout) as [string, string][]);
}

const RENDER = fileURLToPath(new URL('./support/render-code.ts', import.meta.url));

/** The HTML of the samples in these languages, rendered one after the other by a process of their own. */
async function renderInProcess(languages: string[]): Promise<Map<string, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [RENDER, ...languages], { maxBuffer: 2 ** 24 });
  return new Map(JSON.parse(stdout) as [string, string][]);
}

test('the same article is the same bytes whatever was rendered before it, in a cold process and in a warm one', async () => {
  const languages = Object.keys(CODE);
  const one = await renderInProcess(languages);
  const other = await renderInProcess(languages.toReversed());
  for (const language of languages) {
    assert.match(one.get(language) ?? '', /class="tok-/, language);
    assert.equal(one.get(language), other.get(language), language);
  }
  for (const language of ['svelte', 'markdown', 'typescript']) {
    const cold = await renderInProcess([language]);
    assert.equal(cold.get(language), one.get(language), `${language}, cold`);
  }
});

test('a corpus in all dialects, and code in every language, is the same bytes from first to last and from last to first', async (context) => {
  if (withoutCorpus !== false) context.diagnostic(`${withoutCorpus}; only code in every language is rendered`);
  const [forwards, backwards] = await Promise.all([renderCorpus('forwards'), renderCorpus('backwards')]);
  assert.deepEqual([...backwards].toReversed(), [...forwards]);
  assert.ok(forwards.size >= 44, `${forwards.size} documents`);
  // Alone in a process, with nothing rendered before.
  const names = [...forwards.keys()];
  const step = Math.ceil(names.length / 3);
  for (const name of names.filter((_, index) => index % step === step - 1)) {
    assert.equal((await renderCorpus('only', name)).get(name), forwards.get(name), name);
  }
  context.diagnostic(`${forwards.size} documents`);
});

test('what a language embeds is highlighted with it', async () => {
  const { html: svelte } = await derive(`~~~svelte\n${CODE.svelte}\n~~~`, 'title: T', { highlight: true });
  assert.match(svelte, /<span class="tok-[a-z-]+">\$ink<\/span>/);
  const { html: markdown } = await derive(`~~~markdown\n${CODE.markdown}\n~~~`, 'title: T', { highlight: true });
  assert.match(markdown, /<span class="tok-keyword">const<\/span>/);
});

test('code that would take long to highlight stays plain, and all of it is shown', async () => {
  const hostile = {
    typescript: '{\n('.repeat(5_000),
    svelte: '{'.repeat(900),
    ruby: '[['.repeat(450),
    cpp: 'a<b(c::d);\n'.repeat(1_000),
    go: 'x\n'.repeat(16_000),
  };
  for (const [language, code] of Object.entries(hostile)) {
    const begin = performance.now();
    const { html } = await derive(`~~~${language}\n${code}\n~~~`, 'title: T', { highlight: true });
    assert.doesNotMatch(html, /tok-/, language);
    assert.equal(html.replace(/<[^>]+>|\s|&#x3C;/g, ''), code.replace(/\s|</g, ''), language);
    assert.ok(performance.now() - begin < 10_000, language);
  }
});
