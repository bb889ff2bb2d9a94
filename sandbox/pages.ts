/** Serves plain pages that show people the received posts. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { GhostContext, SandboxContext, WordPressContext } from './context.ts';
import { escapeHtml } from './escape.ts';
import { renderLiquid } from './forem/liquid.ts';
import { listGhostPosts } from './ghost/list-posts.ts';
import { listRecords } from './wordpress/list-records.ts';
import { findCanonical, renderContent, toPlainTitle } from './wordpress/post-views.ts';

interface Shown {
  title: string;
  path: string;
  canonicalUrl: string | null;
  tags: string[];
}

export function registerPages(app: FastifyInstance, sandbox: SandboxContext): void {
  app.get('/', (_request, reply) => {
    const sections = [
      renderSection('Forem (blogsite_a)', listForemPosts(sandbox)),
      renderSection('Hashnode (blogsite_b)', listHashnodePosts(sandbox)),
      renderSection('Medium (blogsite_c)', listMediumPosts(sandbox)),
      ...sandbox.wordpressSites.map((site) =>
        renderSection(`WordPress (cms_site, /${site.name})`, listWordpressPosts({ ...sandbox, site })),
      ),
      ...sandbox.ghostSites.map((site) =>
        renderSection(`Ghost (cms_site, /${site.name})`, listPublicGhostPosts({ ...sandbox, site })),
      ),
      renderSection('LinkedIn (social_feed)', listLinkedinPosts(sandbox)),
    ];
    return sendPage(reply, 200, 'Sandbox', `<h1>Sandbox</h1>${sections.join('')}`);
  });

  app.get<{ Params: { username: string; slug: string } }>('/forem/:username/:slug', (request, reply) => {
    const { username, slug } = request.params;
    const articles = [...sandbox.state.posts('blogsite_a').values()];
    const article = articles.find(
      (candidate) => candidate.published && candidate.username === username && candidate.slug === slug,
    );
    if (!article) return sendMissing(reply);
    const rendered = renderLiquid(article.bodyMarkdown);
    const shown = { ...article, path: '', body: 'text' in rendered ? rendered.text : article.bodyMarkdown };
    return sendPage(reply, 200, article.title, renderPost(shown));
  });

  app.get<{ Params: { publication: string; slug: string } }>('/hashnode/:publication/:slug', (request, reply) => {
    const { publication, slug } = request.params;
    const posts = [...sandbox.state.posts('blogsite_b').values()];
    const post = posts.find(
      (candidate) => !candidate.isDelisted && candidate.publicationId === publication && candidate.slug === slug,
    );
    if (!post) return sendMissing(reply);
    const shown = { ...post, path: '', tags: post.tags.map((tag) => tag.name), body: post.contentMarkdown };
    return sendPage(reply, 200, post.title, renderPost(shown));
  });

  for (const site of sandbox.ghostSites) {
    app.get<{ Params: { slug: string } }>(`/${site.name}/:slug/`, (request, reply) => {
      const published = listGhostPosts({ ...sandbox, site }).filter(({ status }) => status === 'published');
      const post = published.find(({ slug }) => slug === request.params.slug);
      if (!post) return sendMissing(reply);
      return sendPage(reply, 200, post.title, renderPost({ ...post, path: '', body: post.html ?? '' }));
    });
  }

  app.get<{ Params: { username: string; story: string } }>('/medium/@:username/:story', (request, reply) => {
    const id = request.params.story.slice(-12);
    const post = listMediumPosts(sandbox).find((candidate) => candidate.id === id);
    return post ? sendPage(reply, 200, post.title, renderPost(post)) : sendMissing(reply);
  });

  app.get<{ Params: { urn: string } }>('/linkedin/feed/update/:urn/', (request, reply) => {
    const post = listLinkedinPosts(sandbox).find((candidate) => candidate.id === request.params.urn);
    return post ? sendPage(reply, 200, post.title, renderPost(post)) : sendMissing(reply);
  });

  for (const site of sandbox.wordpressSites) {
    app.get<{ Params: { slug: string } }>(`/${site.name}/:slug/`, (request, reply) => {
      const posts = listRecords({ ...sandbox, site }, 'wordpressPost').filter(({ status }) => status === 'publish');
      const post = posts.find(({ slug }) => slug === request.params.slug);
      if (!post) return sendMissing(reply);
      // The author's HTML is the page, as on a real site. The Content-Security-Policy of these
      // pages blocks scripts in it.
      const body = `<h1>${escapeHtml(toPlainTitle(post.title))}</h1>${renderContent(post.content)}`;
      return sendPage(reply, 200, toPlainTitle(post.title), `${body}<p><a href="/">All posts</a></p>`);
    });
  }
}

function listForemPosts(sandbox: SandboxContext): Shown[] {
  const published = [...sandbox.state.posts('blogsite_a').values()].filter((article) => article.published);
  return published.reverse().map((article) => ({ ...article, path: `/forem/${article.username}/${article.slug}` }));
}

function listHashnodePosts(sandbox: SandboxContext): Shown[] {
  const listed = [...sandbox.state.posts('blogsite_b').values()].filter((post) => !post.isDelisted);
  return listed.reverse().map((post) => ({
    ...post,
    path: `/hashnode/${post.publicationId}/${encodeURIComponent(post.slug)}`,
    tags: post.tags.map((tag) => tag.name),
  }));
}

function listPublicGhostPosts(sandbox: GhostContext): Shown[] {
  const published = listGhostPosts(sandbox).filter((post) => post.status === 'published');
  return published.map((post) => ({ ...post, path: `/${sandbox.site.name}/${post.slug}/` }));
}

/**
 * Drafts on Medium are visible to their author only, unlisted stories to anyone with the address.
 */
function listMediumPosts(sandbox: SandboxContext): (Shown & { id: string; body: string })[] {
  const posts = [...sandbox.state.posts('blogsite_c').values()].filter((post) => post.publishStatus !== 'draft');
  return posts.reverse().map((post) => ({ ...post, body: post.content }));
}

function listLinkedinPosts(sandbox: SandboxContext): (Shown & { id: string; body: string })[] {
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

function listWordpressPosts(sandbox: WordPressContext): Shown[] {
  const published = listRecords(sandbox, 'wordpressPost').filter(({ status }) => status === 'publish');
  const names = new Map(listRecords(sandbox, 'wordpressTag').map(({ id, name }) => [Number(id), toPlainTitle(name)]));
  return published.reverse().map((post) => ({
    title: toPlainTitle(post.title),
    path: `/${sandbox.site.name}/${encodeURIComponent(post.slug)}/`,
    canonicalUrl: findCanonical(post.content),
    tags: post.tags.map((id) => names.get(id) ?? String(id)),
  }));
}

function renderSection(name: string, posts: Shown[]): string {
  const items = posts.map(
    (post) =>
      `<li><a href="${escapeHtml(post.path)}">${escapeHtml(post.title)}</a> · ${renderCanonicalLink(post.canonicalUrl)} · ${renderTags(post.tags)}</li>`,
  );
  const list = items.length > 0 ? `<ul>${items.join('\n')}</ul>` : '<p>No posts yet.</p>';
  return `<h2>${escapeHtml(name)}</h2>${list}`;
}

function renderPost(post: Shown & { body: string }): string {
  return `<h1>${escapeHtml(post.title)}</h1>
<p>${renderTags(post.tags)} · ${renderCanonicalLink(post.canonicalUrl)}</p>
<pre>${escapeHtml(post.body)}</pre>
<p><a href="/">All posts</a></p>`;
}

function renderCanonicalLink(address: string | null): string {
  if (address === null) return 'no canonical URL';
  return `canonical: <a rel="canonical" href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
}

function renderTags(tags: string[]): string {
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
