/** Plain pages on which people see what arrived at the stand-ins. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SandboxContext } from './context.ts';
import { escapeHtml } from './escape.ts';
import { renderLiquid } from './forem/liquid.ts';
import { ghostPosts } from './ghost/list-posts.ts';
import { recordsOf } from './wordpress/list-records.ts';
import { canonicalIn, renderContent, titleText } from './wordpress/post-views.ts';

interface Shown {
  title: string;
  path: string;
  canonicalUrl: string | null;
  tags: string[];
}

export function registerPages(app: FastifyInstance, sandbox: SandboxContext): void {
  app.get('/', (_request, reply) => {
    const sections = [
      listSection('Forem (blogsite_a)', foremPosts(sandbox)),
      listSection('Hashnode (blogsite_b)', hashnodePosts(sandbox)),
      listSection('Medium (blogsite_c)', mediumPosts(sandbox)),
      listSection('WordPress (cms_site)', wordpressPosts(sandbox)),
      listSection('Ghost (cms_site)', publicGhostPosts(sandbox)),
      listSection('LinkedIn (social_feed)', linkedinPosts(sandbox)),
    ];
    return sendPage(reply, 200, 'Sandbox', `<h1>Sandbox</h1>${sections.join('')}`);
  });

  app.get<{ Params: { username: string; slug: string } }>('/forem/:username/:slug', (request, reply) => {
    const { username, slug } = request.params;
    const articles = [...sandbox.state.posts('blogsite_a').values()];
    const article = articles.find((one) => one.published && one.username === username && one.slug === slug);
    if (!article) return sendMissing(reply);
    const rendered = renderLiquid(article.bodyMarkdown);
    const shown = { ...article, path: '', body: 'text' in rendered ? rendered.text : article.bodyMarkdown };
    return sendPage(reply, 200, article.title, postBody(shown));
  });

  app.get<{ Params: { slug: string } }>('/hashnode/posts/:slug', (request, reply) => {
    const posts = [...sandbox.state.posts('blogsite_b').values()];
    const post = posts.find((one) => !one.isDelisted && one.slug === request.params.slug);
    if (!post) return sendMissing(reply);
    const shown = { ...post, path: '', tags: post.tags.map((tag) => tag.name), body: post.contentMarkdown };
    return sendPage(reply, 200, post.title, postBody(shown));
  });

  app.get<{ Params: { slug: string } }>('/ghost-site/:slug/', (request, reply) => {
    const post = ghostPosts(sandbox).find((one) => one.status === 'published' && one.slug === request.params.slug);
    if (!post) return sendMissing(reply);
    return sendPage(reply, 200, post.title, postBody({ ...post, path: '', body: post.html ?? '' }));
  });

  app.get<{ Params: { username: string; story: string } }>('/medium/@:username/:story', (request, reply) => {
    const id = request.params.story.slice(-12);
    const post = mediumPosts(sandbox).find((one) => one.id === id);
    return post ? sendPage(reply, 200, post.title, postBody(post)) : sendMissing(reply);
  });

  app.get<{ Params: { urn: string } }>('/linkedin/feed/update/:urn/', (request, reply) => {
    const post = linkedinPosts(sandbox).find((one) => one.id === request.params.urn);
    return post ? sendPage(reply, 200, post.title, postBody(post)) : sendMissing(reply);
  });

  app.get<{ Params: { slug: string } }>('/wordpress/:slug/', (request, reply) => {
    const published = recordsOf(sandbox, 'wordpressPost').filter(({ status }) => status === 'publish');
    const post = published.find(({ slug }) => slug === request.params.slug);
    if (!post) return sendMissing(reply);
    // What the author sent is the page here, as it is on a site; the policy of these pages lets nothing in it run.
    const body = `<h1>${escapeHtml(titleText(post.title))}</h1>${renderContent(post.content)}`;
    return sendPage(reply, 200, titleText(post.title), `${body}<p><a href="/">All posts</a></p>`);
  });
}

function foremPosts(sandbox: SandboxContext): Shown[] {
  const published = [...sandbox.state.posts('blogsite_a').values()].filter((article) => article.published);
  return published.reverse().map((article) => ({ ...article, path: `/forem/${article.username}/${article.slug}` }));
}

function hashnodePosts(sandbox: SandboxContext): Shown[] {
  const listed = [...sandbox.state.posts('blogsite_b').values()].filter((post) => !post.isDelisted);
  return listed.reverse().map((post) => ({
    ...post,
    path: `/hashnode/posts/${encodeURIComponent(post.slug)}`,
    tags: post.tags.map((tag) => tag.name),
  }));
}

function publicGhostPosts(sandbox: SandboxContext): Shown[] {
  const published = ghostPosts(sandbox).filter((post) => post.status === 'published');
  return published.map((post) => ({ ...post, path: `/ghost-site/${post.slug}/` }));
}

/** Medium's drafts are seen by their author only; unlisted stories by whoever knows the address. */
function mediumPosts(sandbox: SandboxContext): (Shown & { id: string; body: string })[] {
  const posts = [...sandbox.state.posts('blogsite_c').values()].filter((post) => post.publishStatus !== 'draft');
  return posts.reverse().map((post) => ({ ...post, body: post.content }));
}

function linkedinPosts(sandbox: SandboxContext): (Shown & { id: string; body: string })[] {
  const posts = [...sandbox.state.posts('social_feed').values()].filter((post) => !post.isDeleted);
  return posts.reverse().map((post) => ({
    id: post.id,
    title: post.title || post.id,
    path: `/linkedin/feed/update/${post.id}/`,
    canonicalUrl: post.source,
    tags: [],
    body: [post.commentary, '', post.title, post.description, post.thumbnail ?? 'no image'].join('\n'),
  }));
}

function wordpressPosts(sandbox: SandboxContext): Shown[] {
  const published = recordsOf(sandbox, 'wordpressPost').filter(({ status }) => status === 'publish');
  const names = new Map(recordsOf(sandbox, 'wordpressTag').map(({ id, name }) => [Number(id), titleText(name)]));
  return published.reverse().map((post) => ({
    title: titleText(post.title),
    path: `/wordpress/${encodeURIComponent(post.slug)}/`,
    canonicalUrl: canonicalIn(post.content),
    tags: post.tags.map((id) => names.get(id) ?? String(id)),
  }));
}

function listSection(name: string, posts: Shown[]): string {
  const items = posts.map(
    (post) =>
      `<li><a href="${escapeHtml(post.path)}">${escapeHtml(post.title)}</a> · ${canonicalLink(post.canonicalUrl)} · ${tagLine(post.tags)}</li>`,
  );
  const list = items.length > 0 ? `<ul>${items.join('\n')}</ul>` : '<p>Nothing has arrived.</p>';
  return `<h2>${escapeHtml(name)}</h2>${list}`;
}

function postBody(post: Shown & { body: string }): string {
  return `<h1>${escapeHtml(post.title)}</h1>
<p>${tagLine(post.tags)} · ${canonicalLink(post.canonicalUrl)}</p>
<pre>${escapeHtml(post.body)}</pre>
<p><a href="/">All posts</a></p>`;
}

function canonicalLink(address: string | null): string {
  if (address === null) return 'no canonical URL';
  return `canonical: <a rel="canonical" href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
}

function tagLine(tags: string[]): string {
  return tags.length === 0 ? 'no tags' : tags.map((tag) => `#${escapeHtml(tag)}`).join(' ');
}

function sendMissing(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 404, 'Not found', '<h1>Not found</h1><p><a href="/">All posts</a></p>');
}

function sendPage(reply: FastifyReply, status: number, title: string, body: string): FastifyReply {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap}</style>
</head><body>${body}</body></html>
`;
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    })
    .send(html);
}
