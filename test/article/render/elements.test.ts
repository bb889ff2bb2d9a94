/** Tests single elements of a page: headings, anchors, links, and the pages behind embeds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEmbed } from '../../../article/embeds/embed-by-name.ts';
import { findPage, findScriptPage } from '../../../article/embeds/frame-address.ts';
import { derive } from '../support/documents.ts';

const render = async (body: string) => (await derive(body)).html;
const OUTSIDE = ' rel="nofollow ugc noopener"';

test('headings are one level below the title, and each has its own id', async () => {
  assert.equal(
    await render('Text\n# H\n## H\n### H\n#### H\n##### H\n###### H\n##\n'),
    `<p>Text</p>
<h2 id="h">H</h2>
<h3 id="h-1">H</h3>
<h4 id="h-2">H</h4>
<h5 id="h-3">H</h5>
<h6 id="h-4">H</h6>
<h6 id="h-5">H</h6>
<h3 id="section"></h3>`,
  );
  assert.equal(await render('## A\n\n### B'), '<h2 id="a">A</h2>\n<h3 id="b">B</h3>');
});

test('the title is not repeated at the start of the text', async () => {
  assert.equal((await render('# title\n\nText')).trim(), '<p>Text</p>');
  assert.match(await render('Text\n\n# Title\n'), /<h2 id="title">Title<\/h2>/);
  assert.match(await render('## Title\n\nText'), /<h2 id="title">Title<\/h2>/);
  assert.match(await render('# Titles\n\nText'), /<h2 id="titles">/);
});

test('links reach the anchors of authors under the ids that the page gives them', async () => {
  for (const [body, html] of [
    ['<a name="x">A</a> [b](#x)\n', '<p><a id="user-content-x">A</a> <a href="#user-content-x">b</a></p>'],
    ['<p id="p">x</p>\n\n[y](#p)', '<p id="user-content-p">x</p>\n<p><a href="#user-content-p">y</a></p>'],
    ['## A {#own}\n\n[b](#own)', '<h2 id="a">A</h2>\n<p><a href="#a">b</a></p>'],
    ['## Größe\n\n[b](#gr%C3%B6%C3%9Fe)', '<h2 id="größe">Größe</h2>\n<p><a href="#gr%C3%B6%C3%9Fe">b</a></p>'],
    ['## Comments\n\n[a](#comments)', '<h2 id="comments-1">Comments</h2>\n<p><a href="#comments-1">a</a></p>'],
    ['[a](#none)', '<p><a href="#none">a</a></p>'],
  ] as const)
    assert.equal(await render(body), html, body);
});

test('links to other sites are marked as not endorsed, and schemes are normalised', async () => {
  for (const [body, html] of [
    ['[a](https://x.example/)', `<p><a href="https://x.example/"${OUTSIDE}>a</a></p>`],
    ['[a](/c)', '<p><a href="/c">a</a></p>'],
    ['[a](https://courant.example/d)', '<p><a href="https://courant.example/d">a</a></p>'],
    ['[a](//x.example)', `<p><a href="https://x.example/"${OUTSIDE}>a</a></p>`],
    ['[a](mailto:a@b.example)', '<p><a href="mailto:a@b.example">a</a></p>'],
    ['<a href=" HTTPS://x.example ">y</a>', `<p><a href="https://x.example"${OUTSIDE}>y</a></p>`],
    ['<a href="JAVASCRIPT:x" rel="me">z</a>', '<p><a>z</a></p>'],
    ['<a href="/c" rel="me">z</a>', '<p><a href="/c">z</a></p>'],
    [
      '![a](https://x.example/b.png)',
      '<p><img src="https://x.example/b.png" alt="a" loading="lazy" decoding="async"></p>',
    ],
    ['<blockquote class="other">x</blockquote>', '<blockquote>x</blockquote>'],
  ] as const)
    assert.equal(await render(body), html, body);
});

test('the page behind a frame is found, with its place in a video', () => {
  const video = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
  for (const [frame, url, place] of [
    ['https://www.youtube.com/embed/dQw4w9WgXcQ', video, 'YouTube'],
    ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ/', video, 'YouTube'],
    ['https://m.youtube.com/shorts/dQw4w9WgXcQ', video, 'YouTube'],
    ['https://youtube.com/v/dQw4w9WgXcQ', video, 'YouTube'],
    ['https://youtube.com/live/dQw4w9WgXcQ', video, 'YouTube'],
    ['https://www.youtube.com/embed/dQw4w9WgXcQ?list=PL1&start=90', `${video}&list=PL1&t=90s`, 'YouTube'],
    ['https://www.youtube.com/embed/dQw4w9WgXcQ?t=90s', `${video}&t=90s`, 'YouTube'],
    ['https://www.youtube.com/embed/dQw4w9WgXcQ?t=1m', video, 'YouTube'],
    ['https://www.youtube.com/embed/dQw4w9WgXcQ?t=1234567', video, 'YouTube'],
    ['https://www.youtube.com/embed/videoseries?list=PL1', 'https://www.youtube.com/playlist?list=PL1', 'YouTube'],
    ['https://www.youtube.com/embed/live_stream', 'https://www.youtube.com/embed/live_stream', 'YouTube'],
    ['https://www.youtube.com/watch?list=PL1', 'https://www.youtube.com/watch?list=PL1', 'YouTube'],
    ['https://player.vimeo.com/video/123', 'https://vimeo.com/123', 'Vimeo'],
    ['https://player.vimeo.com/video/123/?h=abcdef#t=1m2s', 'https://vimeo.com/123/abcdef#t=1m2s', 'Vimeo'],
    ['https://player.vimeo.com/video/123?h=abcde#x', 'https://vimeo.com/123', 'Vimeo'],
    ['https://player.vimeo.com/video/12', 'https://player.vimeo.com/video/12', 'Vimeo'],
    ['https://platform.twitter.com/embed/Tweet.html?id=12345', 'https://x.com/i/status/12345', 'X'],
    ['https://platform.x.com/embed/Tweet.html?id=1234', 'https://platform.x.com/embed/Tweet.html?id=1234', 'X'],
    ['https://platform.x.com/embed/Tweet.html', 'https://platform.x.com/embed/Tweet.html', 'X'],
    ['https://gist.github.com/ada/abc.js', 'https://gist.github.com/ada/abc', 'GitHub Gist'],
    ['https://gist.github.com/abc.pibb/', 'https://gist.github.com/abc', 'GitHub Gist'],
    ['https://gist.github.com/ada/abc.js?file=A B.ts', 'https://gist.github.com/ada/abc#file-a-b-ts', 'GitHub Gist'],
    ['https://gist.github.com/a/b/c', 'https://gist.github.com/a/b/c', 'GitHub Gist'],
    ['https://codepen.io/ada/embed/preview/xyz', 'https://codepen.io/ada/pen/xyz', 'CodePen'],
    ['https://codepen.io/ada/embed/xyz/', 'https://codepen.io/ada/pen/xyz', 'CodePen'],
    ['https://codesandbox.io/embed/xyz', 'https://codesandbox.io/s/xyz', 'CodeSandbox'],
    ['https://jsfiddle.net/ada/xyz/1/embedded/result/', 'https://jsfiddle.net/ada/xyz/1/', 'JSFiddle'],
    ['https://www.loom.com/embed/xyz', 'https://www.loom.com/share/xyz', 'Loom'],
    ['https://open.spotify.com/embed/track/xyz', 'https://open.spotify.com/track/xyz', 'Spotify'],
    ['https://open.spotify.com/embed-podcast/show/xyz', 'https://open.spotify.com/show/xyz', 'Spotify'],
    ['https://asciinema.org/a/xyz/iframe', 'https://asciinema.org/a/xyz', 'asciinema'],
    ['https://asciinema.org/a/xyz.js', 'https://asciinema.org/a/xyz', 'asciinema'],
    ['https://www.other.example/x', 'https://www.other.example/x', 'other.example'],
  ] as const)
    assert.deepEqual(findPage(new URL(frame)), { url, place }, frame);
  const script = (address: string) => findScriptPage(new URL(address))?.url ?? null;
  assert.equal(script('https://gist.github.com/ada/abc.js'), 'https://gist.github.com/ada/abc');
  assert.equal(script('https://asciinema.org/a/xyz.js'), 'https://asciinema.org/a/xyz');
  for (const address of [
    'https://gist.github.com/ada/abc',
    'https://x.example/a.js',
    'https://gist.github.com/a/b/c.js',
  ])
    assert.equal(script(address), null, address);
});

test('an embed is found by its name in any spelling and an id that it can have', () => {
  const find = (text: string) => {
    const [name = '', ...values] = text.split(' ');
    return findEmbed(name, values);
  };
  for (const name of 'youtube youtubeVideo youtube-embed lite-youtube liteYoutubeEmbed YT'.split(' '))
    assert.deepEqual(find(`${name} dQw4w9WgXcQ`), {
      ...{ url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', text: 'Open on YouTube' },
    });
  for (const name of 'twitter tweet x x_simple twitter_simple tweetEmbed twitterEmbed twitter-tweet'.split(' '))
    assert.deepEqual(find(`${name} 12345`), { url: 'https://x.com/i/status/12345', text: 'Open on X' });
  for (const [text, url, place] of [
    ['vimeo 12345', 'https://vimeo.com/12345', 'Vimeo'],
    ['vimeo_video 12345', 'https://vimeo.com/12345', 'Vimeo'],
    ['gist ada abcdef', 'https://gist.github.com/ada/abcdef', 'GitHub Gist'],
    [`githubGist ${'a'.repeat(20)}`, `https://gist.github.com/${'a'.repeat(20)}`, 'GitHub Gist'],
    ['github ada/repo.js', 'https://github.com/ada/repo.js', 'GitHub'],
    ['github_repo ada/repo', 'https://github.com/ada/repo', 'GitHub'],
    ['codesandbox xyz', 'https://codesandbox.io/s/xyz', 'CodeSandbox'],
    ['stackblitz xyz', 'https://stackblitz.com/edit/xyz', 'StackBlitz'],
    ['youtube https://www.youtube.com/embed/dQw4w9WgXcQ', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'YouTube'],
  ] as const)
    assert.deepEqual(find(text), { url, text: `Open on ${place}` }, text);
  const names =
    'embed link codepen jsfiddle replit glitch asciinema speakerdeck slideshare loom spotify soundcloud instagram reddit medium devto iframe';
  for (const name of names.split(' '))
    assert.deepEqual(find(`${name} https://x.example/a`), { url: 'https://x.example/a', text: 'Open on x.example' });
  for (const text of [
    ...['youtube abcde', `youtube ${'a'.repeat(21)}`, 'youtube a!bcdef', 'vimeo 1234', 'vimeo x12345', 'tweet 1234'],
    ...[
      'gist abc',
      'gist ada/xyz',
      'github ada',
      'codesandbox xy',
      'stackblitz xy',
      'embed x',
      'embed',
      'unknown 12345',
    ],
  ])
    assert.equal(find(text), null, text);
});
