/** Writes the feeds of simulated blogs. */
import type { FastifyReply } from 'fastify';
import { generateRssFeed } from 'feedsmith';
import { escapeHtml } from './escape.ts';

interface FeedItem {
  title: string;
  link: string;
  guid: { value: string; isPermaLink: boolean };
  tags: readonly string[];
  at: string;
  html: string;
}

/** Newest first. */
export function sendFeed(reply: FastifyReply, title: string, items: readonly FeedItem[]): FastifyReply {
  const feed = generateRssFeed({
    title,
    description: title,
    items: items
      .toSorted((left, right) => Date.parse(right.at) - Date.parse(left.at))
      .map(({ tags, at, html, ...item }) => ({
        ...item,
        categories: tags.map((name) => ({ name })),
        pubDate: new Date(at),
        content: { encoded: html },
      })),
  });
  return reply.type('text/xml; charset=UTF-8').send(feed);
}

export function sendNoFeed(reply: FastifyReply): FastifyReply {
  return reply.code(404).type('text/html').send('<!DOCTYPE html><title>Not found</title>');
}

/** Paragraphs of plain text. */
export function toParagraphs(markdown: string): string {
  return markdown
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`)
    .join('');
}
