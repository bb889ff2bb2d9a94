/**
 * Serves the feeds of simulated blogs: Medium's under `/medium/feed/@name`, and each Hashnode
 * blog's under `/hashnode-blog/name/rss.xml`.
 */
import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from './context.ts';
import { escapeHtml } from './escape.ts';

/** As in Medium's own feed. */
const MAX_FEED_ENTRIES = 10;

interface Entry {
  title: string;
  link: string;
  guid: string;
  isPermaLink: boolean;
  tags: readonly string[];
  at: string;
  html: string;
}

export function registerFeeds(app: FastifyInstance, sandbox: SandboxContext): void {
  app.get<{ Params: { name: string } }>('/medium/feed/:name', (request, reply) => {
    const username = request.params.name.replace(/^@/, '');
    const account = Object.values(sandbox.mediumAccounts).find((candidate) => candidate.username === username);
    if (!account) return reply.code(404).type('text/html').send('<!DOCTYPE html><title>Not found</title>');
    return reply
      .type('text/xml; charset=UTF-8')
      .send(writeFeed(`Stories by ${account.name} on Medium`, listStories(sandbox, account.id)));
  });

  app.get<{ Params: { name: string } }>('/hashnode-blog/:name/rss.xml', (request, reply) => {
    const account = Object.values(sandbox.hashnodeAccounts).find(
      (candidate) => candidate.username === request.params.name,
    );
    if (!account) return reply.code(404).type('text/html').send('<!DOCTYPE html><title>Not found</title>');
    return reply.type('application/rss+xml').send(writeFeed(account.name, listPosts(sandbox, account.publicationId)));
  });
}

function listStories(sandbox: SandboxContext, authorId: string): Entry[] {
  const posts = [...sandbox.state.posts('blogsite_c').values()];
  return posts
    .filter((post) => post.authorId === authorId && post.publishStatus === 'public')
    .sort((left, right) => Date.parse(right.createdAt) - Date.parse(left.createdAt))
    .slice(0, MAX_FEED_ENTRIES)
    .map((post) => ({
      title: post.title,
      link: `${sandbox.siteUrl()}${post.path}?source=rss-${authorId.slice(0, 12)}------2`,
      guid: `https://medium.com/p/${post.id}`,
      isPermaLink: false,
      tags: post.tags,
      at: post.createdAt,
      html: `${toHtml(post.contentFormat, post.content)}<img src="https://medium.com/_/stat?event=post.clientViewed&postId=${post.id}" width="1" height="1" alt="">`,
    }));
}

function listPosts(sandbox: SandboxContext, publicationId: string): Entry[] {
  const posts = [...sandbox.state.posts('blogsite_b').values()];
  return posts
    .filter((post) => post.publicationId === publicationId && !post.isDelisted)
    .sort((left, right) => Date.parse(right.publishedAt) - Date.parse(left.publishedAt))
    .map((post) => {
      const link = `${sandbox.siteUrl()}/hashnode/${publicationId}/${encodeURIComponent(post.slug)}`;
      const html = toHtml('markdown', post.contentMarkdown);
      return {
        title: post.title,
        link,
        guid: link,
        isPermaLink: true,
        tags: post.tags.map(({ name }) => name),
        at: post.publishedAt,
        html,
      };
    });
}

function toHtml(format: 'html' | 'markdown', content: string): string {
  if (format === 'html') return content;
  return content
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`)
    .join('');
}

function writeFeed(title: string, entries: readonly Entry[]): string {
  const items = entries.map(
    (entry) => `<item><title><![CDATA[${splitCdata(entry.title)}]]></title><link>${escapeHtml(entry.link)}</link>
<guid isPermaLink="${entry.isPermaLink}">${escapeHtml(entry.guid)}</guid>
${entry.tags.map((tag) => `<category><![CDATA[${splitCdata(tag)}]]></category>`).join('')}
<pubDate>${new Date(entry.at).toUTCString()}</pubDate>
<content:encoded><![CDATA[${splitCdata(entry.html)}]]></content:encoded></item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" version="2.0">
<channel><title><![CDATA[${splitCdata(title)}]]></title>${items.join('\n')}</channel></rss>`;
}

/** A CDATA section cannot contain its own end. */
function splitCdata(text: string): string {
  return text.replaceAll(']]>', ']]]]><![CDATA[>');
}
