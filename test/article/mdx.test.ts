import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derive, listCodes, read, withFrontmatter } from './support/documents.ts';

const FRONT = 'title: T\ncanonical_url: https://me.example/posts/x';
const SOURCE = `import Foo from './foo'
import { bar } from "bar"

export const meta = { a: 1 }

Text with <Foo>inner **bold**</Foo>, {"a literal"} and {process.env.SECRET}.

{/* truncate */}

<Tabs>
  <TabItem value="x">

    Indented [link](/q).

    - item

  </TabItem>
</Tabs>

<Image src="/a.png" alt="A" width={3} />

<div className="note" onClick={() => x()} style={{ a: 1 }}>
  Hello
</div>

<Chart data={[1]} />

\`\`\`js
import z from 'q'
\`\`\`
`;

test('ESM is dropped, components become their children, expressions are never evaluated (A7)', () => {
  const { draft, warnings } = read(withFrontmatter(FRONT, SOURCE));
  assert.equal(
    draft.body,
    `Text with inner **bold**, a literal and .

Indented [link](https://me.example/q).

- item

![A](https://me.example/a.png)

<div class="note">

Hello

</div>

\`\`\`js
import z from 'q'
\`\`\`
`,
  );
  assert.deepEqual(
    warnings.map(({ code, line }) => [code, line]),
    [
      ['mdx_expression_removed', 11],
      ['mdx_component_removed', 31],
    ],
  );
});

test('MDX is recognised by the file name or by signs that only MDX has', () => {
  assert.equal(read(withFrontmatter(FRONT, 'A {1 + 1} B'), { fileName: 'a.mdx' }).draft.body, 'A  B');
  assert.equal(read(withFrontmatter(FRONT, 'A {1 + 1} B')).draft.body, 'A {1 + 1} B');
});

test('prose and code that only look like MDX stay as they are', () => {
  const bodies = [
    'A `Vec<String>` and Vec<String> and {x}.\n',
    '```jsx\nimport A from "a"\n\n<Foo />\n```\n',
    'We import goods from overseas.\n',
    '{{ page.title }} and {% include x %}\n',
    '<A HREF="https://x.example/">old HTML</A> <BR/>\n',
  ];
  for (const body of bodies) {
    const { draft, warnings } = read(withFrontmatter(FRONT, body));
    assert.equal(draft.body, body);
    assert.deepEqual(warnings, []);
  }
});

test('invalid MDX is read as Markdown, with a warning and without its imports', () => {
  const { draft, warnings } = read(withFrontmatter(FRONT, 'import A from "./a"\n\nBroken <br> {{ liquid }} <Foo/>\n'));
  assert.equal(draft.body.trim(), 'Broken <br> {{ liquid }} <Foo/>');
  assert.deepEqual([warnings[0]?.code, warnings[0]?.line], ['mdx_read_as_markdown', 8]);
});

test('HTML comments, which MDX 1 allowed, do not make a document invalid', () => {
  const { draft, warnings } = read(
    withFrontmatter(FRONT, 'import A from "a"\n\n<!-- a comment -->\n\n<A2b>Text</A2b>\n'),
  );
  assert.equal(draft.body.trim(), '<!-- a comment -->\n\nText');
  assert.deepEqual(listCodes(warnings), []);
});

test('the page shows the same text that the destinations get', async () => {
  const { html } = await derive(SOURCE, FRONT);
  assert.match(html, /<p>Text with inner <strong>bold<\/strong>, a literal and \.<\/p>/);
  assert.match(html, /<li>item<\/li>/);
  assert.doesNotMatch(html, /SECRET|Foo|import \{/);
});
