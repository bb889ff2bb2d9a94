import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Nodes } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { cleanToOneLine } from '../../mail/clean-text.ts';
import { describeChange, formatCount, formatDuration } from '../../mail/digest/figures.ts';
import { renderDigest } from '../../mail/digest/render.ts';
import { compileTemplate } from '../../mail/mjml/template.ts';
import { runs } from '../support/property-runs.ts';
import { HOSTILE_TEXTS, hostileDigest, minimalDigest, ordinaryDigest } from './support/digests.ts';

const GMAIL_CUTS_AT = 102_000;

function parse(html: string): Nodes {
  return unified().use(rehypeParse).parse(html);
}

/** Element names with their counts, and all attributes but addresses: the structure of the mail. */
function skeleton(html: string) {
  const names: string[] = [];
  const attributes = new Set<string>();
  const links: string[] = [];
  visit(parse(html), 'element', (element) => {
    names.push(element.tagName);
    for (const name of Object.keys(element.properties)) attributes.add(name);
    if (element.properties.href) links.push(String(element.properties.href));
  });
  return { names, attributes: [...attributes].sort(), links };
}

function shownText(html: string): string {
  let text = '';
  visit(parse(html), 'text', (node) => {
    text += node.value;
  });
  return text;
}

test('a digest shows views, reading time, reactions, subscribers and followers, each with its change', async () => {
  const { subject, html, text } = await renderDigest(ordinaryDigest());
  assert.equal(subject, 'Your week: 1,284 views, 1 open question, 12 new followers');
  for (const shown of [shownText(html), text]) {
    for (const fact of [
      '1,284',
      '+12%',
      '11 h 15 min',
      '−6%',
      '96',
      'unchanged',
      '+3',
      'up from 0',
      'Grace Hopper',
      '山田 太郎',
      '15-fold',
      'Größe & Güte: <T extends "generic"> in TypeScript',
      '34 comments',
      '1 reply, none from you yet',
      'Europe/Berlin',
      'previous week',
    ]) {
      assert.ok(shown.replace(/\s+/g, ' ').includes(fact), fact);
    }
    assert.match(shown, /9.–.15 November 2026/);
  }
});

test('every address is in both the HTML and the text', async () => {
  const { html, text } = await renderDigest(ordinaryDigest());
  const inText = text.match(/https:\/\/\S+/g) ?? [];
  assert.deepEqual([...new Set(skeleton(html).links)].sort(), [...new Set(inText)].sort());
  assert.ok(inText.some((url) => url.includes('/digest/unsubscribe?token=')));
});

test('it is readable without colours, pictures and style sheets, and in dark mode', async () => {
  const { html } = await renderDigest(ordinaryDigest());
  assert.match(html, /<html[^>]* lang="en"/);
  assert.match(html, /<meta name="color-scheme" content="light dark"/);
  assert.match(html, /@media \(prefers-color-scheme: dark\)/);
  assert.doesNotMatch(html, /fonts\.googleapis|<link|@import|mj-head-of-every-mail/);
  const tones = [...html.matchAll(/tile-change tile-(\w+)" style="font-size:14px;color:(#\w+)"/g)];
  assert.deepEqual(
    new Set(tones.map(([, tone, colour]) => `${tone} ${colour}`)),
    new Set(['up #1b6e3c', 'down #a8321f', 'same #62625c']),
  );
  visit(parse(html), 'element', (element) => {
    if (element.tagName === 'table') assert.ok(element.properties.role, 'a table for layout says so');
    if (element.tagName === 'img') assert.equal(typeof element.properties.alt, 'string');
  });
});

test('a digest without news is complete, without empty sections', async () => {
  const { subject, html, text } = await renderDigest(minimalDigest());
  assert.equal(subject, 'Your day on Courant');
  for (const shown of [shownText(html), text]) {
    assert.match(shown, /quiet day/);
    assert.doesNotMatch(shown, /most read|discussions|open questions|new followers: [a-z]/i);
  }
});

test('untrusted texts are shown as text, keep the mail’s structure, and link to http(s) addresses only (A8)', async () => {
  const harmless = skeleton((await renderDigest(hostileDigest('harmless'))).html);
  for (const hostile of HOSTILE_TEXTS) {
    const { subject, html, text } = await renderDigest(hostileDigest(hostile, `javascript:alert("${hostile}")`));
    const { names, attributes, links } = skeleton(html);
    assert.deepEqual(names, harmless.names, hostile);
    assert.deepEqual(attributes, harmless.attributes, hostile);
    for (const link of links) assert.match(link, /^https:\/\/courant\.example\//);
    for (const part of [subject, html.replaceAll('\n', ''), text.replaceAll('\n', '')]) {
      assert.doesNotMatch(part, /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u, hostile);
      assert.ok(part.isWellFormed());
    }
  }
});

test('no untrusted text opens or closes an HTML comment of the template', async () => {
  const comments = async (text: string) =>
    (await renderDigest(hostileDigest(text))).html.match(/<!--|-->|<!\[/g)?.length;
  assert.equal(await comments('--><!--[if mso]> <![endif]-->'), await comments('harmless'));
});

test('the largest possible digest stays below the size at which Gmail truncates it', async () => {
  const address = `https://courant.example/${'a'.repeat(5_000)}`;
  for (const text of ['"'.repeat(1_000), '𠀀'.repeat(1_000), HOSTILE_TEXTS.join('')]) {
    const { html } = await renderDigest(hostileDigest(text, address));
    assert.ok(Buffer.byteLength(html) < GMAIL_CUTS_AT, `${Buffer.byteLength(html)} bytes`);
  }
});

test('the text part is wrapped, but addresses stay on one line', async () => {
  for (const content of [ordinaryDigest(), minimalDigest(), ...HOSTILE_TEXTS.map((text) => hostileDigest(text))]) {
    for (const line of (await renderDigest(content)).text.split('\n')) {
      assert.ok(line.length <= 76 || /https?:/.test(line), line);
    }
  }
});

test('changes are described sensibly for few, none and many', () => {
  const describe = (now: number, before: number) => describeChange({ now, before }).text;
  assert.equal(describe(0, 0), 'unchanged');
  assert.equal(describe(7, 7), 'unchanged');
  assert.equal(describe(12, 0), 'up from 0');
  assert.equal(describe(0, 12), 'down from 12');
  assert.equal(describe(3, 2), '+1');
  assert.equal(describe(2, 3), '−1');
  assert.equal(describe(112, 100), '+12%');
  assert.equal(describe(88, 100), '−12%');
  assert.equal(describe(1_001, 1_000), '+1');
  assert.equal(describe(1, 100_000), '−99%');
  assert.equal(describe(2_000, 100), '20-fold');
  assert.equal(describeChange({ now: 7_200, before: 0 }, formatDuration).text, 'up from 0 min');
});

test('durations are in hours and minutes, and large counts are short', () => {
  const durations = [0, 1, 60, 3_599, 3_600, 11_100, 359_999, 4_334_400].map(formatDuration);
  assert.deepEqual(durations, [
    '0 min',
    'under 1 min',
    '1 min',
    '59 min',
    '1 h',
    '3 h 5 min',
    '99 h 59 min',
    '1,204 h',
  ]);
  assert.deepEqual([0, 999, 1_284, 99_999, 1_234_567].map(formatCount), ['0', '999', '1,284', '99,999', '1.2M']);
  assert.deepEqual([Number.NaN, -3, Number.POSITIVE_INFINITY].map(formatCount), ['0', '0', '0']);
});

test('one line stays one line, well formed and no longer than the limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, length) => {
      const line = cleanToOneLine(text, length);
      assert.ok(line.length <= length);
      assert.ok(line.isWellFormed());
      assert.doesNotMatch(line, /[\p{Cc}\u2028\u2029]/u);
      assert.equal(cleanToOneLine(line, length), line);
    }),
    { numRuns: runs(100) },
  );
  assert.equal(cleanToOneLine('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 13), '👩‍👩‍👧‍👦…');
});

test('a template with a mistake throws instead of producing a partial mail', async () => {
  const render = async (source: string, values: object) => (await compileTemplate(source))(values);
  await assert.rejects(compileTemplate('{% if a %}x'), /not closed/);
  await assert.rejects(compileTemplate('x{% endif %}'), /unexpected tag|not found/);
  await assert.rejects(render('{{ a | shout }}', { a: 'x' }), /undefined filter/);
  await assert.rejects(render('{{ name }}', {}), /undefined variable/);
  await assert.rejects(render('{{ toString }}', {}), /undefined variable/);
  await assert.rejects(render('{% if name %}x{% endif %}', {}), /undefined variable/);
});
