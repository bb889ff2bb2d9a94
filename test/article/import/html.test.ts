/** HTML becomes Markdown with the same meaning, for our reader and for people. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertPost } from '../../../article/import/convert-post.ts';
import { readFeed } from '../../../article/import/feed/read-feed.ts';
import { convertHtml } from '../../../article/import/html/html-to-markdown.ts';
import type { SourcePost } from '../../../article/import/source-post.ts';
import { readShared, sharedPath } from '../../support/shared-data.ts';

const CASES: [name: string, html: string, markdown: string][] = [
  [
    'a picture has its caption',
    '<figure><img src="/a.png" alt="A"><figcaption>By <a href="b">b</a></figcaption></figure>',
    '![A](https://blog.example/a.png)\n\n*By [b](https://blog.example/2024/b)*',
  ],
  ['line breaks in code are preserved', '<pre>a &lt; b<br>c</pre>', '```\na < b\nc\n```'],
  ['the language of code is preserved', '<pre class="lang-js"><code>a()</code></pre>', '```js\na()\n```'],
  [
    'the language of code is read from an element around it, as in Jekyll',
    '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre><code><span class="k">puts</span> 1\n</code></pre></div></div>',
    '```ruby\nputs 1\n```',
  ],
  [
    'a table stays a table',
    '<table><tr><th>A</th><th align="right">B</th></tr><tr><td>1 | 2</td><td>3</td></tr></table>',
    '| A      |  B |\n| ------ | -: |\n| 1 \\| 2 |  3 |',
  ],
  [
    'blocks in a cell are written on one line, and a caption above the table',
    '<table><caption>What holds</caption><tr><th>A</th></tr><tr><td><p>one</p><p>two<br>three</p><ul><li>x<ul><li>y</li></ul></li></ul><pre>a | b\nc</pre></td></tr></table>',
    'What holds\n\n| A                                                    |\n| ---------------------------------------------------- |\n| one<br>two<br>three<br>• x<br>• y<br>`a \\| b`<br>`c` |',
  ],
  [
    'an embedded video is a link',
    '<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe>',
    '[Open on YouTube](https://www.youtube.com/watch?v=dQw4w9WgXcQ)',
  ],
  [
    'a frame that shows a playlist is a link to the playlist',
    '<iframe src="https://www.youtube.com/embed/videoseries?list=PL123"></iframe>',
    '[Open on YouTube](https://www.youtube.com/playlist?list=PL123)',
  ],
  [
    'a caption that has only an embed keeps it',
    '<figure><img src="/a.png" alt="A"><figcaption><iframe src="https://player.vimeo.com/video/123"></iframe></figcaption></figure>',
    '![A](https://blog.example/a.png)\n\n*[Open on Vimeo](https://vimeo.com/123)*',
  ],
  [
    'a caption that has only a counter is removed',
    '<figure><img src="/a.png" alt="A"><figcaption><img src="https://medium.com/_/stat?event=post.clientViewed" width="1" height="1"></figcaption></figure>',
    '![A](https://blog.example/a.png)',
  ],
  ['a power stays a power', '<p>x<sup>2</sup></p>', 'x<sup>2</sup>'],
  [
    'footnotes stay footnotes',
    '<p>A<sup><a href="#fn:1">1</a></sup></p><div class="footnotes"><ol><li id="fn:1"><p>Note. <a href="#fnref:1" class="reversefootnote">↩</a></p></li></ol></div>',
    'A[^1]\n\n[^1]: Note.',
  ],
  ['the permalink in a heading is removed', '<h2>Title <a class="anchor" href="#title">#</a></h2>', '## Title'],
  [
    'images that count readers are removed',
    '<p>A</p><img src="https://medium.com/_/stat?event=x" width="1" height="1">',
    'A',
  ],
  [
    'scripts are removed, and links to scripts become text',
    '<script>alert(1)</script><a href="javascript:alert(1)">x</a>',
    'x',
  ],
];
for (const [name, html, markdown] of CASES) {
  test(name, () => assert.equal(convertHtml(html, { base: 'https://blog.example/2024/post' }), markdown));
}

test('a Medium post gives subtitle, cover and origin, and Medium’s own notes are removed', {
  skip: sharedPath('contracts').skip,
}, () => {
  const bytes = Buffer.from(readShared('contracts/medium-feed-sample.xml'));
  const reading = readFeed({ bytes, contentType: '', url: 'https://medium.com/feed/@x', isMedium: true });
  assert.ok(reading.ok);
  const [story, members] = reading.feed.posts;
  assert.ok(story && members);
  const { document, canonicalUrl } = convertPost(story, { isDraft: false });
  assert.equal(canonicalUrl, 'https://hub.example.com/a-sample-story');
  assert.match(document, /subtitle: "The subtitle as a leading h4"/);
  assert.match(document, /cover_image: "https:\/\/cdn-images-1\.medium\.com/);
  assert.match(document, /## A section\n\n```\nconst a = 1 < 2;\nrun\(a\);\n```/);
  assert.doesNotMatch(document, /_\/stat|was originally published/);
  assert.equal(members.body.isExcerpt, true);
});

const POST: SourcePost = {
  remoteId: '1',
  url: 'https://a.example/1',
  title: 'One',
  subtitle: null,
  excerpt: null,
  tags: [],
  slug: null,
  canonicalUrl: null,
  coverImage: null,
  series: null,
  language: null,
  publishedAt: null,
  updatedAt: null,
  body: { format: 'markdown', text: 'Text.', base: null, isExcerpt: false },
};

test('a slug or a cover that is a path is rejected with a warning (A24)', () => {
  const { slug, document, warnings } = convertPost(
    { ...POST, slug: '../../.bashrc', coverImage: '../../../etc/passwd' },
    { isDraft: false },
  );
  assert.equal(slug, null);
  assert.doesNotMatch(document, /bashrc|passwd/);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['slug_ignored', 'cover_ignored'],
  );
});

test('the frontmatter of Forem’s basic editor is removed from the text and provides the series', () => {
  const text = '---\ntitle: One\nseries: A row\n---\n\nText.\n\n---\n\nMore.';
  const { document } = convertPost({ ...POST, body: { ...POST.body, text } }, { isDraft: true });
  assert.match(document, /series_id: "A row"\nstatus: "DRAFT"\n---\n\nText\.\n\n---\n\nMore\.\n$/);
});
