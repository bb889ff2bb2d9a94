/** Implements Forem's validations. Each failure is a sentence; the response joins all of them. */
import type { ForemArticle, ForemContext } from './context.ts';
import { maskCode, renderLiquid } from './liquid.ts';

/** All rules that the article breaks. A new article has no id yet. */
export function validateArticle(article: ForemArticle, forem: ForemContext): string[] {
  return [
    ...checkTitle(article),
    ...checkBody(article.bodyMarkdown),
    ...checkTags(article.tags),
    ...checkCanonical(article.canonicalUrl, forem.baseUrl),
    ...checkDuplicates(article, forem),
  ];
}

/** Rails' `to_sentence`. */
export function joinErrors(errors: string[]): string {
  if (errors.length <= 2) return errors.join(' and ');
  return `${errors.slice(0, -1).join(', ')}, and ${errors.at(-1)}`;
}

function checkTitle({ title }: ForemArticle): string[] {
  if (title.trim() === '') return ["Title can't be blank"];
  if ([...title].length <= 128) return [];
  return ['Title is too long (maximum is 128 characters for articles and 256 characters for quick posts)'];
}

function checkBody(body: string): string[] {
  if (Buffer.byteLength(body) > 800 * 1024) return ['Body markdown is too long.'];
  const errors: string[] = [];
  const prose = maskCode(body);
  if (/\ssrc\s*=\s*["']?\s*(?:data:|&)/i.test(prose)) errors.push('Invalid markdown detected');
  const mentions = new Set(prose.match(/(?<![\w/])@[a-z0-9_-]+/gi) ?? []);
  if (mentions.size > 7) errors.push('You cannot mention more than 7 users in a post!');
  const rendered = renderLiquid(body);
  if ('error' in rendered) errors.push(rendered.error);
  return errors;
}

function checkTags(tags: string[]): string[] {
  const errors: string[] = [];
  if (tags.length > 4) errors.push('Tag list exceed the maximum of 4 tags');
  for (const tag of tags) {
    if (!/^[a-z0-9]+$/i.test(tag)) errors.push(`Tag "${tag}" contains non-ASCII characters`);
    if (tag.length > 30) errors.push(`Tag "${tag}" is too long (maximum is 30 characters)`);
  }
  if (tags.join(', ').length > 126) errors.push('Cached tag list is too long (maximum is 126 characters)');
  return errors;
}

function checkCanonical(canonicalUrl: string | null, baseUrl: string): string[] {
  if (canonicalUrl === null) return [];
  if (/\s/.test(canonicalUrl)) return ['Canonical url must not have spaces'];
  const url = URL.parse(canonicalUrl);
  const product = URL.parse(baseUrl);
  // `localhost`, `127.0.0.1` and `[::1]` are one machine.
  const isProduct = url && product && isLocal(product) && product.port === url.port;
  const isValid = url && /^https?:$/.test(url.protocol) && (!isLocal(url) || isProduct);
  return isValid ? [] : ['Canonical url is not a valid URL'];
}

function checkDuplicates(article: ForemArticle, { articles, now }: ForemContext): string[] {
  const errors: string[] = [];
  const { account, title, status, canonicalUrl } = article;
  const others = articles.list().filter(({ id }) => id !== article.id);
  // Drafts may repeat a canonical URL: it must be unique only when published.
  const isTaken = others.some((other) => other.status === 'published' && other.canonicalUrl === canonicalUrl);
  if (status === 'published' && canonicalUrl !== null && isTaken) {
    errors.push('Canonical url has already been taken. Email the site for further details.');
  }
  const since = now().getTime() - 5 * 60 * 1000;
  const isRecent = (other: ForemArticle) =>
    other.account === account && other.title === title && Date.parse(other.createdAt) > since;
  if (article.id === '' && others.some(isRecent)) errors.push('Title has already been used in the last five minutes');
  return errors;
}

function isLocal({ hostname }: URL): boolean {
  return !hostname.includes('.') || hostname.endsWith('.localhost') || /^(127\.|0\.)/.test(hostname);
}
