/**
 * Finds the root of a REST API from the address that an author entered. Sends no credential, but
 * the root receives it later and may be on another host. For another registrable domain the author
 * must confirm: whoever controls the front page would receive the password.
 */
import { getDomain } from 'tldts';
import { buildContext } from '../../http/caller.ts';
import { exchange, type HttpContext, type HttpResponse } from '../../http/exchange.ts';
import { interpretForeignResponse, interpretNoResponse, interpretRateLimit, reject } from '../../http/failures.ts';
import { readField, readText } from '../../http/read-field.ts';
import type { ClientOptions, Failure, Outcome } from '../../types.ts';
import { LABEL } from '../limits.ts';
import { buildPlainRoot, buildPrettyRoot, buildRouteUrl, normaliseRoot } from './api-root.ts';

/** `http` to `https`, a host to its `www`: more is a loop. */
const MAX_REDIRECTS = 4;

const NOT_WORDPRESS: Failure = reject(
  'not_wordpress',
  'There is no WordPress site with a REST API at this address. Enter the address of its front page.',
);

/** The root in the site's Link header, else a usual place. Redirects move the API as well. */
export async function discoverRoot(options: ClientOptions): Promise<Outcome<string>> {
  const context = buildContext(options);
  const front = await readFrontPage(options.connection.baseUrl, context);
  if (front.kind !== 'done') return front;
  const { site, root } = front.value;
  const entered = options.connection.baseUrl;
  if (root !== null) return isSameSite(entered, root) ? { kind: 'done', value: root } : rejectElsewhere(entered, root);
  if (!isSameSite(entered, site)) return rejectElsewhere(entered, site);
  for (const candidate of [buildPrettyRoot(site), buildPlainRoot(site)]) {
    const url = buildRouteUrl(candidate, '/', { _fields: 'namespaces' });
    const ended = await exchange({ method: 'GET', url }, context);
    if (ended.kind === 'answer') {
      if (isIndex(ended) || isLocked(ended)) return { kind: 'done', value: normaliseRoot(candidate) };
      if (ended.status === 429) return interpretRateLimit(ended, LABEL, options.now());
      if (ended.status >= 500) return interpretForeignResponse(ended, 'read', LABEL);
    } else if (ended.kind !== 'redirect' && ended.kind !== 'tooLarge') {
      return interpretNoResponse(ended, 'read', LABEL);
    }
  }
  return NOT_WORDPRESS;
}

/** True for hosts of one registrable domain; without one (an IP address) for the same host. */
export function isSameSite(left: string, right: string): boolean {
  const [first, second] = [left, right].map((address) => {
    const { hostname } = new URL(address);
    return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
  });
  return first === second;
}

function rejectElsewhere(entered: string, found: string): Failure {
  const message = `${new URL(entered).host} leads to another site, ${new URL(found).host}, which would receive your password. If that is correct, connect with its address: ${found}`;
  return reject('leads_elsewhere', message);
}

async function readFrontPage(
  address: string,
  context: HttpContext,
): Promise<Outcome<{ site: string; root: string | null }>> {
  let url = address;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const ended = await exchange({ method: 'HEAD', url, headers: { accept: '*/*' } }, context);
    if (ended.kind === 'redirect') {
      if (ended.location === null || !URL.canParse(ended.location, url)) return NOT_WORDPRESS;
      url = new URL(ended.location, url).href;
    } else if (ended.kind === 'answer') {
      return { kind: 'done', value: { site: url, root: findRootInLink(ended.headers.link, url) } };
    } else {
      return interpretNoResponse(ended, 'read', LABEL);
    }
  }
  return NOT_WORDPRESS;
}

/** Finds `<https://blog.example/wp-json/>; rel="https://api.w.org/"` among a page's links. */
export function findRootInLink(header: string | undefined, base: string): string | null {
  for (const [, target = '', parameters = ''] of (header ?? '').slice(0, 8192).matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (!/;\s*rel\s*=\s*"?https:\/\/api\.w\.org\/"?/i.test(parameters)) continue;
    const url = URL.canParse(target, base) ? new URL(target, base) : null;
    if (url?.protocol === 'https:' || url?.protocol === 'http:') return normaliseRoot(url.href);
  }
  return null;
}

function isIndex(answer: HttpResponse): boolean {
  const namespaces = readField(answer.json, 'namespaces');
  return Array.isArray(namespaces) && namespaces.includes('wp/v2');
}

/** A site that shows its API only to its own users refuses with one of WordPress's codes. */
function isLocked(answer: HttpResponse): boolean {
  const isRefused = answer.status === 401 || answer.status === 403;
  return isRefused && (readText(answer.json, 'code') ?? '').startsWith('rest_');
}
