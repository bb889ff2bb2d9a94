/** Serves plain pages that show people the received posts. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { listConnectableAccounts } from './connectable-accounts.ts';
import type { SandboxContext, Section } from './context.ts';
import { escapeHtml } from './escape.ts';

export function registerPages(app: FastifyInstance, { sections, siteUrl }: SandboxContext): void {
  app.get('/', (_request, reply) =>
    sendPage(reply, 'Sandbox', `${sections.map(renderSection).join('')}${renderAccounts(siteUrl())}`),
  );

  app.get<{ Params: { '*': string } }>('/*', ({ params }, reply) => {
    const path = `/${params['*']}`;
    const post = sections.flatMap(({ list }) => list()).find((candidate) => candidate.path === path);
    if (!post) return reply.callNotFound();
    return sendPage(reply, post.title, `${renderBody(post)}<p><a href="/">All posts</a></p>`);
  });
}

type Shown = ReturnType<Section['list']>[number];

function renderSection({ label, list }: Section): string {
  const items = list().map(
    (post) =>
      `<li><a href="${escapeHtml(encodeURI(post.path))}">${escapeHtml(post.title)}</a> · ${renderDetails(post)}</li>`,
  );
  const posts = items.length > 0 ? `<ul>${items.join('\n')}</ul>` : '<p>No posts yet.</p>';
  return `<h2>${escapeHtml(label)}</h2>${posts}`;
}

/** What the form of a connection requires. These keys are valid at the sandbox only. */
function renderAccounts(sandboxUrl: string): string {
  const rows = listConnectableAccounts(sandboxUrl).map(({ platform, baseUrl, credentials }) => {
    const values = credentials.map(({ name, value }) => `${escapeHtml(name)} <code>${escapeHtml(value)}</code>`);
    return `<tr><td>${platform}</td><td><code>${escapeHtml(baseUrl)}</code></td><td>${values.join('<br>')}</td></tr>`;
  });
  return `<h2>Accounts to connect</h2><table><tr><th>Platform</th><th>Address</th><th>Credential</th></tr>${rows.join('\n')}</table>`;
}

/** Shows a view's HTML unchanged, as a real site does. The CSP blocks scripts in it. */
function renderBody(post: Shown): string {
  return post.html ?? `<p>${renderDetails(post)}</p><pre>${escapeHtml(post.text ?? '')}</pre>`;
}

function renderDetails({ canonicalUrl, tags }: Shown): string {
  const url = escapeHtml(canonicalUrl ?? '');
  const link = url === '' ? 'no canonical URL' : `canonical: <a rel="canonical" href="${url}">${url}</a>`;
  return `${link} · ${tags.map((tag) => `#${escapeHtml(tag)}`).join(' ') || 'no tags'}`;
}

function sendPage(reply: FastifyReply, title: string, body: string): FastifyReply {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap}code{overflow-wrap:anywhere}td,th{text-align:left;vertical-align:top;padding:0 1rem .5rem 0}</style>
</head><body><h1>${escapeHtml(title)}</h1>${body}</body></html>
`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  };
  return reply.headers(headers).send(html);
}
