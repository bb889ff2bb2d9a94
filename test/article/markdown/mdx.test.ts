import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derive, listCodes, read, withFrontmatter } from '../support/documents.ts';
import { findDangers } from '../support/walk-html.ts';

const FRONT = 'title: T\ncanonical_url: https://me.example/posts/x';
const SOURCE = `import Foo from './foo'
import { bar } from "bar"

export const meta = { a: 1 }

Text with <Foo>inner **bold**</Foo>, {"a literal"} and {process.env.SECRET}.{/* a note to myself */}

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

test('ESM is dropped, components become their children, expressions are never evaluated; a teaser mark stays (A7)', () => {
  const { draft, warnings } = read(withFrontmatter(FRONT, SOURCE));
  assert.equal(
    draft.body,
    `Text with inner **bold**, a literal and .

<!--more-->

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

test('prose and code that only resemble MDX stay unchanged', () => {
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
    assert.deepEqual(
      warnings.filter(({ code }) => code !== 'template_as_text'),
      [],
    );
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

test('the page shows the same text as the destinations', async () => {
  const { html } = await derive(SOURCE, FRONT);
  assert.match(html, /<p>Text with inner <strong>bold<\/strong>, a literal and \.<\/p>/);
  assert.match(html, /<li>item<\/li>/);
  assert.doesNotMatch(html, /SECRET|Foo|import \{/);
});

test('texts and addresses in component attributes become text and links', () => {
  const { draft, warnings } = read(
    withFrontmatter(
      FRONT,
      `<Tabs>
  <TabItem value="npm" label="With npm">

    Run it.

  </TabItem>
</Tabs>

<Card title="A guide" href="/guide">The whole way.</Card>

<LinkCard href="https://a.example/x" title="Elsewhere" description="Another place." />

<Callout title={"Mind the gap"}>Text.</Callout>

<Figure src="/a.png" alt="A shelf" caption="The shelf" />

<Accordion summary="More"><b>bold</b></Accordion>

<Button href="https://a.example/y">Press</Button> and <Badge label="new" /> and <Link to="/z">there</Link>

<SEO title="Not for readers" description="Neither" />

<YouTube id="abc_def-123" />

<Tweet tweetId="1234567890" title="A post" />
`,
    ),
  );
  assert.equal(
    draft.body,
    `**With npm**

Run it.

**[A guide](https://me.example/guide)**

The whole way.

**[Elsewhere](https://a.example/x)**

Another place.

**Mind the gap**

Text.

![A shelf](https://me.example/a.png)

The shelf

**More**

<b>bold</b>

[Press](https://a.example/y) and new and [there](https://me.example/z)

[Open on YouTube](https://www.youtube.com/watch?v=abc_def-123)

**[A post](https://x.com/i/status/1234567890)**
`,
  );
  assert.deepEqual(listCodes(warnings), ['mdx_component_removed']);
});

test('hostile texts in attributes stay text', async () => {
  const { html } = await derive(
    `<Card title="<img src=x onerror=alert(1)>" href="javascript:alert(1)">a</Card>\n\n<Tab label="](javascript:alert(1)) **x**" />\n\n<Gist id="a/../../<script>" />\n\n<Card title={"x\\n\\n<script>alert(1)</script>"} />\n`,
  );
  assert.deepEqual(findDangers(html), []);
  assert.doesNotMatch(html, /<img|<script|href="javascript/);
});

test('an import of Go or Dart outside of a fence is text', () => {
  const go = 'In Go write:\n\nimport "fmt"\n\nand then `fmt.Println`.\n';
  assert.equal(read(withFrontmatter(FRONT, go)).draft.body, go);
  assert.deepEqual(read(withFrontmatter(FRONT, go)).warnings, []);
  const mixed = `import Foo from './foo'\n\nBroken <br> {{ x }}\n\nimport "net/http"\n\nimport 'dart:io';\n\nimport "./style.css"\n`;
  const { draft } = read(withFrontmatter(FRONT, mixed));
  assert.match(draft.body, /import "net\/http"\n\nimport 'dart:io';/);
  assert.doesNotMatch(draft.body, /style|Foo/);
  const valid = read(withFrontmatter(FRONT, '<Foo>Text.</Foo>\n\nimport "github.com/a/b"\n\nimport "x.css"\n'));
  assert.equal(valid.draft.body.trim(), 'Text.\n\nimport "github.com/a/b"');
});

test('the reason why a document is not valid MDX is the parser’s own, without its positions', () => {
  const { warnings } = read(withFrontmatter('title: T', "import a from 'a'\n\na <br> b\n"), { fileName: 'a.mdx' });
  const warning = warnings.find(({ code }) => code === 'mdx_read_as_markdown');
  assert.match(warning?.message ?? '', /\(line 7: Expected a closing tag for `<br>` before the end of `paragraph`\)/);
});
