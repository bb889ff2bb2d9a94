import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listCodes, read, withFrontmatter } from '../support/documents.ts';

const CANONICAL = 'title: T\ncanonical_url: https://me.example/posts/x';

function readBody(body: string, frontmatter = CANONICAL): string {
  return read(withFrontmatter(frontmatter, body)).draft.body;
}

test('root-relative addresses resolve against the origin of the canonical URL, others beside its page', () => {
  assert.equal(
    readBody('![a](/img/a.png "t") [b](../b) ![c](./c.png) [d](d#e) [f](//cdn.example/f)\n'),
    '![a](https://me.example/img/a.png "t") [b](https://me.example/b) ![c](https://me.example/posts/c.png) [d](https://me.example/posts/d#e) [f](https://cdn.example/f)\n',
  );
});

test('base_url takes precedence over the request’s baseUrl, and both over the canonical URL', () => {
  const relative = '![a](a.png)';
  assert.equal(
    readBody(relative, `${CANONICAL}\nbase_url: https://cdn.example/blog`),
    '![a](https://cdn.example/blog/a.png)',
  );
  const { draft } = read(withFrontmatter(CANONICAL, relative), { baseUrl: 'https://request.example/x/' });
  assert.equal(draft.body, '![a](https://request.example/x/a.png)');
  const both = read(withFrontmatter(`${CANONICAL}\nbase_url: https://own.example/`, relative), {
    baseUrl: 'https://request.example/',
  });
  assert.equal(both.draft.body, '![a](https://own.example/a.png)');
});

test('reference-style links and images and raw HTML are resolved too', () => {
  assert.equal(
    readBody(
      '[a][r] ![b][s]\n\n[r]: /r "t"\n[s]: <my image.png>\n\n<img src="x.png" srcset="a.png 1x, b.png 2x"><a href=/y>z</a>\n',
    ),
    '[a][r] ![b][s]\n\n[r]: https://me.example/r "t"\n[s]: <https://me.example/posts/my%20image.png>\n\n<img src="https://me.example/posts/x.png" srcset="https://me.example/posts/a.png 1x, https://me.example/posts/b.png 2x"><a href="https://me.example/y">z</a>\n',
  );
});

test('raw HTML in quotations and lists is resolved in place', () => {
  assert.equal(
    readBody('> <div>\n> <img src="a.png">\n> </div>\n'),
    '> <div>\n> <img src="https://me.example/posts/a.png">\n> </div>\n',
  );
});

test('code, fragments, mailto and other schemes stay unchanged, byte for byte', () => {
  const body =
    '`[a](/b)` [f](#frag) [m](mailto:a@b.example) [t](tel:1) [h](https://x.example/a_(b)) <https://y.example>\n\n```md\n![a](/b.png)\n```\n\n    <img src="/c.png">\n\n<!-- <img src="/d.png"> -->\n\n\\[a](/b) * + _ trailing  \n';
  const { draft, warnings } = read(withFrontmatter(CANONICAL, body));
  assert.equal(draft.body, body);
  assert.deepEqual(warnings, []);
});

test('addresses keep their meaning: parentheses, spaces, ampersands and entities', () => {
  assert.equal(
    readBody('![a](<b (1).png>) [c](/d?e=1&f=2) [g](/h&amp;copy;i)'),
    '![a](<https://me.example/posts/b%20%281%29.png>) [c](https://me.example/d?e=1&f=2) [g](https://me.example/h&amp;copy;i)',
  );
});

test('an address that stays relative gives a warning with its line in the file', () => {
  const { draft, warnings } = read(
    withFrontmatter('title: T', 'One.\n\n![a](a.png)\n\n<p>\n<img src="b.png"></p>\n\n[c]: {{ site.url }}/c\n'),
  );
  assert.match(draft.body, /!\[a\]\(a\.png\)/);
  assert.deepEqual(
    warnings.map(({ code, line }) => [code, line]),
    [
      ['picture_unreachable', 7],
      ['picture_unreachable', 10],
    ],
  );
  const many = read(withFrontmatter('title: T', Array.from({ length: 50 }, (_, i) => `[a](${i}.html)\n\n`).join('')));
  assert.equal(many.warnings.length, 21);
  assert.match(many.warnings.at(-1)?.message ?? '', /^30 more/);
});

test('a picture that stays relative causes a warning that states what readers see instead', () => {
  const body = [
    '![A shelf](shelf.png) [words](page.md)',
    '![Other][one] [link][two]',
    '<img src="bare.png" alt="x"><video src="v.mp4" poster="p.png"></video>',
    '![]({{site.url}}/t.png)',
    '[one]: one.png\n[two]: two.md',
  ].join('\n\n');
  const { warnings } = read(withFrontmatter('title: T', `${body}\n`));
  const pictures = warnings.filter(({ code }) => code === 'picture_unreachable');
  assert.deepEqual(
    pictures.map(({ message }) => /^Picture "(.*?)" will not load: (.*?)\. (.*?)\. /.exec(message)?.slice(1)),
    [
      ['shelf.png', 'readers cannot reach a local path', 'Readers see its text "A shelf" instead'],
      ['bare.png', 'readers cannot reach a local path', 'Readers see a broken picture'],
      ['p.png', 'readers cannot reach a local path', 'Readers see a broken picture'],
      [
        '{{site.url}}/t.png',
        'its address contains a template placeholder, which Courant does not replace',
        'Readers see a broken picture',
      ],
      ['one.png', 'readers cannot reach a local path', 'Readers see its text "Other" instead'],
    ],
  );
  assert.deepEqual(
    warnings.filter(({ code }) => code === 'relative_link').map(({ message }) => /^"(.*?)"/.exec(message)?.[1]),
    ['page.md', 'v.mp4', 'two.md'],
  );
  const many = Array.from({ length: 30 }, (_, i) => `[a](${i}.html) ![b](${i}.png)\n\n`).join('');
  const counted = read(withFrontmatter('title: T', many)).warnings.map(({ code }) => code);
  assert.equal(counted.filter((code) => code === 'picture_unreachable').length, 21, 'links do not hide pictures');
});

test('a picture in a local file causes a warning, with and without base_url; a link to a local file causes none', () => {
  const body = [
    '![a](file:///home/ann/a.png) ![b](<C:\\img\\b.png>) ![c][c] <img src="C:/img/d.png">',
    '[link](file:///home/ann/page.html) [other](C:/page.html)',
    '[c]: file:///home/ann/c.png',
  ].join('\n\n');
  for (const frontmatter of ['title: T', 'title: T\nbase_url: https://cdn.example/']) {
    const { warnings } = read(withFrontmatter(frontmatter, `${body}\n`));
    assert.deepEqual(
      warnings.map(({ code, message }) => [code, /^Picture "(.*?)" will not load/.exec(message)?.[1]]),
      [
        ['picture_unreachable', 'file:///home/ann/a.png'],
        ['picture_unreachable', 'C:\\img\\b.png'],
        ['picture_unreachable', 'C:/img/d.png'],
        ['picture_unreachable', 'file:///home/ann/c.png'],
      ],
    );
    assert.match(warnings[0]?.message ?? '', /Write its full address/);
  }
});

test('of two definitions with one name the first is used, and the second causes no warning', () => {
  const body = '![a][r]\n\n[r]: https://cdn.example/a.png\n[r]: a.png\n';
  assert.deepEqual(read(withFrontmatter('title: T', body)).warnings, []);
});

test('a template placeholder is not read as a path', () => {
  const { draft, warnings } = read(withFrontmatter(CANONICAL, '[a]({{site.baseurl}}/b)\n'));
  assert.equal(draft.body, '[a]({{site.baseurl}}/b)\n');
  assert.deepEqual(listCodes(warnings), ['relative_link']);
});

test('a cover image that cannot be resolved is removed with a warning', () => {
  const { draft, warnings } = read(withFrontmatter('title: T\ncover_image: ./c.png'));
  assert.equal(draft.coverImage, null);
  assert.deepEqual(
    [warnings[0]?.code, warnings[0]?.path, warnings[0]?.line],
    ['picture_unreachable', 'cover_image', 3],
  );
  assert.equal(
    read(withFrontmatter(`${CANONICAL}\ncover_image: ./c.png`)).draft.coverImage,
    'https://me.example/posts/c.png',
  );
});

test('hidden HTML gives one warning per element name and one per text in it', () => {
  const { warnings } = read(
    withFrontmatter(
      'title: T',
      'A.\n\n<script>x()</script>\n<script>y()</script>\n\n<iframe src="https://www.youtube.com/embed/abcdefgh"></iframe>\n',
    ),
  );
  assert.deepEqual(
    warnings.map(({ code, line }) => [code, line]),
    [
      ['html_removed', 7],
      ['embed_replaced', 10],
      ['text_removed', 7],
      ['text_removed', 8],
    ],
  );
});
