/** `courant publish` of one file: the request, the flags and the output. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { readDocument } from '../../../article/read-document.ts';
import type { ArticleDraft } from '../../../article/types.ts';
import { type CliHome, createCliHome, TOKEN } from '../cli-home.ts';
import { created, type PublishServer, startPublishServer, updated } from './publish-server.ts';

const DOCUMENT = `---
title: Hello
subtitle: From the file
tags: [one, two]
category: backend
my_own_key: kept # a comment
cross_post:
  blogsite_b: false
  blogsite_c: true
---

# Body

Text.
`;

describe('courant publish', () => {
  let home: CliHome;
  let server: PublishServer;
  let file: string;

  before(async () => {
    home = await createCliHome();
    server = await startPublishServer();
  });
  beforeEach(async () => {
    server.requests.length = 0;
    file = await home.write('my-post.md', DOCUMENT);
  });
  after(async () => {
    await server.close();
    await home.remove();
  });

  const publish = (...flags: string[]) =>
    home.run(['publish', file, '--endpoint', server.endpoint, ...flags], { env: { SERVICE_TOKEN: TOKEN } });

  /** Publishes, and returns the draft that the server reads from the sent document. */
  async function sentWith(...flags: string[]): Promise<ArticleDraft> {
    const result = await publish(...flags);
    assert.equal(result.code, 0, result.stderr);
    const body = server.requests.at(-1)?.body ?? {};
    const read = readDocument({ content: String(body.content), fileName: String(body.fileName), now: new Date() });
    assert.ok(read.ok, JSON.stringify(read));
    return read.draft;
  }

  it('POSTs the unchanged file to /api/v1/articles with the token as Bearer', async () => {
    const result = await publish();
    assert.equal(result.code, 0, result.stderr);
    assert.equal(server.requests.length, 1);
    const [request] = server.requests;
    assert.equal(request?.method, 'POST');
    assert.equal(request?.path, '/api/v1/articles');
    assert.equal(request?.headers.authorization, `Bearer ${TOKEN}`);
    assert.equal(request?.headers['content-type'], 'application/json');
    assert.match(String(request?.headers['user-agent']), /^courant-cli\/1\./);
    const { id } = JSON.parse(await readFile(join(home.folder, 'courant.json'), 'utf8')) as { id: string };
    const source = { repository: id, path: 'my-post.md' };
    assert.deepEqual(request?.body, { content: DOCUMENT, fileName: 'my-post.md', source });
  });

  it('prints the created article, its address and its destinations', async () => {
    const { stdout, stderr } = await publish();
    assert.match(stdout, /^Created PUBLISHED https:\/\/courant\.example\/hello\n/);
    assert.match(stdout, /Delivering to DEV, Medium \(if connected\)/);
    assert.equal(stderr, '');
  });

  it('prints the updated article and the warnings of the server', async () => {
    const warnings = [{ code: 'destination_not_connected', message: 'blogsite_c is not connected.' }];
    server.next(updated({}, { warnings }));
    const { code, stdout, stderr } = await publish();
    assert.equal(code, 0);
    assert.match(stdout, /^Updated PUBLISHED /);
    assert.match(stderr, /^warning: blogsite_c is not connected\. \(destination_not_connected\)$/m);
  });

  it('reports a loss with the line of the file even if flags shift it', async () => {
    file = await home.write('lines.md', '---\ntitle: T\n---\nA {{ variable }}.\n');
    const { subtitle } = await sentWith('--subtitle', 'One line more');
    assert.equal(subtitle, 'One line more');
    const loss = { code: 'liquid_as_text', message: 'It is text there.', path: 'content', destination: 'blogsite_a' };
    server.next(created({}, { warnings: [{ ...loss, line: 5 }] }));
    const { stderr } = await publish('--subtitle', 'One line more');
    assert.match(stderr, /^warning: .*lines\.md:4: It is text there\. \(liquid_as_text\)$/m);
  });

  it('prints the time of a scheduled article in the local time zone', async () => {
    file = await home.write('later.md', '---\ntitle: Later\nscheduled_at: 2090-07-01T21:00:00Z\n---\nText.\n');
    server.next(created({ status: 'SCHEDULED' }));
    const env = { SERVICE_TOKEN: TOKEN, TZ: 'Asia/Tokyo' };
    const { stdout } = await home.run(['publish', file, '--endpoint', server.endpoint], { env });
    assert.match(stdout, /Goes public at 2 Jul 2090, 06:00 Asia\/Tokyo, then/);
  });

  it('sends the file name without folders, because .mdx is parsed differently', async () => {
    file = await home.write('shelf.mdx', '---\ntitle: T\n---\n\nOne {1 + 1} two.\n');
    const { code, stderr } = await publish();
    assert.equal(code, 0, stderr);
    assert.equal(server.requests.at(-1)?.body.fileName, 'shelf.mdx');
  });

  it('uses the file name as the title if the frontmatter has none', async () => {
    file = await home.write('A day in June.md', 'Text without frontmatter.\n');
    assert.equal((await sentWith()).title, 'A day in June');
    file = await home.write('other.mdx', '---\ntags: [x]\n---\n# Heading\n');
    assert.equal((await sentWith()).title, 'other');
  });

  it('overrides each field of the frontmatter by its flag, and preserves the rest', async () => {
    const draft = await sentWith(
      ...['--title', 'Other: "title"', '--subtitle', 'Sub', '--tags', 'a, b c ,,d', '--category', 'devops'],
      ...['--series', 's-1', '--canonical', 'https://blog.example.com/x', '--base-url', 'https://cdn.example.com/i/'],
      ...['--cover', 'cover.png', '--toc'],
    );
    assert.equal(draft.title, 'Other: "title"');
    assert.equal(draft.subtitle, 'Sub');
    assert.equal(draft.category, 'devops');
    assert.equal(draft.seriesId, 's-1');
    assert.equal(draft.canonicalUrl, 'https://blog.example.com/x');
    assert.equal(draft.baseUrl, 'https://cdn.example.com/i/');
    assert.equal(draft.coverImage, 'https://cdn.example.com/i/cover.png');
    assert.equal(draft.generateToc, true);
    assert.deepEqual(
      draft.tags.map((tag) => tag.toLowerCase()),
      ['a', 'b c', 'd'],
    );
    const content = String(server.requests[0]?.body.content);
    assert.match(content, /my_own_key: kept # a comment/);
    assert.match(content, /\n# Body\n\nText\.\n$/);
  });

  it('removes the tags with an empty --tags', async () => {
    assert.deepEqual((await sentWith('--tags', '')).tags, []);
  });

  it('saves a draft with --draft, for any frontmatter', async () => {
    file = await home.write('public.md', '---\ntitle: T\nstatus: PUBLISHED\n---\nText.\n');
    server.next(created({ status: 'DRAFT' }));
    const result = await publish('--draft');
    assert.match(result.stdout, /^Created DRAFT .*\nSaved as a draft\. Nothing is delivered\.\n$/);
    const read = readDocument({ content: String(server.requests[0]?.body.content), now: new Date() });
    assert.equal(read.ok && read.draft.status, 'DRAFT');
  });

  describe('destinations', () => {
    const flags = (draft: ArticleDraft) =>
      Object.entries(draft.crossPost).flatMap(([key, enabled]) => (enabled ? [key] : []));

    it('are blogsite_a and blogsite_b by default', async () => {
      file = await home.write('plain.md', '---\ntitle: T\n---\nText.\n');
      assert.deepEqual(flags(await sentWith()), ['blogsite_a', 'blogsite_b']);
    });

    it('are those of the frontmatter if there are no flags', async () => {
      assert.deepEqual(flags(await sentWith()), ['blogsite_a', 'blogsite_c']);
    });

    it('are enabled and disabled one by one by flags, which take precedence over the frontmatter', async () => {
      assert.deepEqual(flags(await sentWith('--blogsite_b', '--no-blogsite_c')), ['blogsite_a', 'blogsite_b']);
      assert.deepEqual(flags(await sentWith('--no-blogsite_a', '--no-blogsite_b', '--social_feed')), [
        'blogsite_c',
        'social_feed',
      ]);
      assert.deepEqual(flags(await sentWith('--cms_site', '--blogsite_c', '--no-social_feed')), [
        'blogsite_a',
        'blogsite_c',
        'cms_site',
      ]);
      assert.deepEqual(flags(await sentWith('--blogsite_a', '--no-blogsite_a')), ['blogsite_c']);
    });

    it('may be spelled with a hyphen', async () => {
      assert.deepEqual(flags(await sentWith('--no-blogsite-a', '--cms-site')), ['blogsite_c', 'cms_site']);
    });
  });

  it('prints the response of the server as JSON with --json', async () => {
    server.next(created({}, { warnings: [{ code: 'x', message: 'y' }] }));
    const { stdout, stderr } = await publish('--json');
    const answer = JSON.parse(stdout) as { action: string; data: { url: string }; warnings: unknown[] };
    assert.equal(answer.action, 'created');
    assert.equal(answer.data.url, 'https://courant.example/hello');
    assert.equal(answer.warnings.length, 1);
    assert.match(stderr, /warning: y \(x\)/);
  });

  it('sends the text of a UTF-16 file with a byte order mark', async () => {
    file = await home.write('wide.md', Buffer.from('\ufeff---\ntitle: Größe\n---\nText.\n', 'utf16le'));
    assert.equal((await sentWith()).title, 'Größe');
  });

  it('sends to the origin of the endpoint, for any path', async () => {
    const env = { SERVICE_TOKEN: TOKEN, COURANT_ENDPOINT: server.origin };
    const result = await home.run(['publish', file], { env });
    assert.equal(result.code, 0, result.stderr);
    assert.equal(server.requests[0]?.path, '/api/v1/articles');
  });
});
