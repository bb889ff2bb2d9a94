import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derive, read, withFrontmatter } from '../support/documents.ts';

/** The links that replace embeds: addresses and texts. */
async function listLinks(body: string): Promise<[string, string][]> {
  const { html } = await derive(body);
  return [...html.matchAll(/<a href="([^"]*)" rel="nofollow ugc noopener">([^<]*)<\/a>/g)].map(
    ([, href = '', text = '']) => [href.replaceAll('&#x26;', '&'), text],
  );
}

const FRAMES: [src: string, page: string, place: string][] = [
  ['https://www.youtube.com/embed/abc_def-123', 'https://www.youtube.com/watch?v=abc_def-123', 'YouTube'],
  [
    'https://www.youtube-nocookie.com/embed/abc_def-123?start=90&rel=0',
    'https://www.youtube.com/watch?v=abc_def-123&t=90s',
    'YouTube',
  ],
  ['https://www.youtube.com/embed/videoseries?list=PLabc', 'https://www.youtube.com/playlist?list=PLabc', 'YouTube'],
  [
    '//www.youtube.com/embed/abc_def-123?list=PLabc&t=5s',
    'https://www.youtube.com/watch?v=abc_def-123&list=PLabc&t=5s',
    'YouTube',
  ],
  ['https://player.vimeo.com/video/12345?h=ab12cd34#t=30s', 'https://vimeo.com/12345/ab12cd34#t=30s', 'Vimeo'],
  ['https://codepen.io/ada/embed/AbCd?default-tab=result', 'https://codepen.io/ada/pen/AbCd', 'CodePen'],
  ['https://codesandbox.io/embed/my-box-1a2b?view=preview', 'https://codesandbox.io/s/my-box-1a2b', 'CodeSandbox'],
  [
    'https://stackblitz.com/edit/my-app?embed=1&file=src/main.ts',
    'https://stackblitz.com/edit/my-app?embed=1&file=src/main.ts',
    'stackblitz.com',
  ],
  ['https://jsfiddle.net/ada/ab12/3/embedded/result/', 'https://jsfiddle.net/ada/ab12/3/', 'JSFiddle'],
  ['https://platform.twitter.com/embed/Tweet.html?id=1234567890', 'https://x.com/i/status/1234567890', 'X'],
  ['https://open.spotify.com/embed/episode/4rOo', 'https://open.spotify.com/episode/4rOo', 'Spotify'],
  ['https://slides.elsewhere.example/deck/1', 'https://slides.elsewhere.example/deck/1', 'slides.elsewhere.example'],
];

for (const [src, page, place] of FRAMES) {
  test(`a frame of ${src} is a link to ${page}`, async () => {
    assert.deepEqual(await listLinks(`<iframe src="${src}"></iframe>\n`), [[page, `Open on ${place}`]]);
    assert.deepEqual(await listLinks(`<iframe src="${src}" title="My talk"></iframe>\n`), [[page, 'My talk']]);
  });
}

test('a gist embedded by a script is a link to the gist and its file', async () => {
  assert.deepEqual(
    await listLinks(
      '<script src="https://gist.github.com/ada/0a1b2c.js?file=Main_File.ts"></script>\n\nThen <script async src="https://asciinema.org/a/12345.js"></script>\n',
    ),
    [
      ['https://gist.github.com/ada/0a1b2c#file-main-file-ts', 'Open on GitHub Gist'],
      ['https://asciinema.org/a/12345', 'Open on asciinema'],
    ],
  );
});

test('a post decorated by a script has its words and its link', async () => {
  const { html, plainText } = await derive(
    '<blockquote class="twitter-tweet"><p lang="en">Words of a post.</p>&mdash; Ada <a href="https://twitter.com/ada/status/12345">May 1</a></blockquote>\n<script async src="https://platform.twitter.com/widgets.js"></script>\n',
  );
  assert.match(html, /<blockquote>.*Words of a post\..*<a href="https:\/\/twitter\.com\/ada\/status\/12345"/s);
  assert.match(plainText, /Ada/);
});

test('lazy frames, objects and embedded files are links; adjacent links are separate paragraphs', async () => {
  const body =
    '<iframe data-src="https://a.example/1" src="about:blank"></iframe>\n<object data="https://a.example/2.pdf" type="application/pdf"><p>fallback</p></object>\n<embed src="https://a.example/3.pdf" title="Paper">\n';
  assert.deepEqual(await listLinks(body), [
    ['https://a.example/1', 'Open on a.example'],
    ['https://a.example/2.pdf', 'Open on a.example'],
    ['https://a.example/3.pdf', 'Paper'],
  ]);
  assert.equal((await derive(body)).html.match(/<p><a [^>]*>[^<]*<\/a><\/p>/g)?.length, 3);
  const { warnings } = read(withFrontmatter('title: T', body));
  assert.deepEqual(
    warnings.map(({ code, line }) => [code, line]),
    [
      ['embed_replaced', 5],
      ['embed_replaced', 6],
      ['embed_replaced', 7],
      ['text_removed', 6],
    ],
  );
});

test('a script that becomes a link gives another warning than a script that is removed', () => {
  const { warnings } = read(
    withFrontmatter(
      'title: T',
      '<script src="https://gist.github.com/ada/0a1b2c.js"></script>\n\n<script src="https://a.example/x.js"></script>\n',
    ),
  );
  assert.deepEqual(
    warnings.map(({ code, line }) => [code, line]),
    [
      ['embed_replaced', 5],
      ['html_removed', 7],
    ],
  );
});

test('a Liquid tag that embeds something is a link; other tags and tags in code stay text', async () => {
  const body =
    'See {% youtube abc_def-123 %} and {% embed https://a.example/x %}.\n\n{% twitter 1234567890 %}\n\n`{% youtube abc_def-123 %}` {% if x %} {{ page.title }} {% youtube "><script>alert(1)</script> %}\n';
  assert.deepEqual(
    (await listLinks(body)).map(([href]) => href),
    ['https://www.youtube.com/watch?v=abc_def-123', 'https://a.example/x', 'https://x.com/i/status/1234567890'],
  );
  const { html } = await derive(body);
  assert.match(html, /<code>\{% youtube abc_def-123 %\}<\/code> \{% if x %\} \{\{ page\.title \}\}/);
  assert.doesNotMatch(html, /<script/);
});
