/**
 * From the address of a site, as its author gave it, to the root of its REST API. No credential is shown to anybody here,
 * but it is sent to the root afterwards, which may lie on another host: front pages move, and a site may keep its API
 * apart. Whoever can change the front page or its headers is trusted with the password of that site, and with nothing
 * else: the root is public and speaks https, and the connection shows its author where it leads.
 */

import { contextOf } from '../http/context.ts';
import { exchange, type HttpAnswer } from '../http/exchange.ts';
import { field } from '../http/json-fields.ts';
import { outcomeOfRateLimit, outcomeOfSilence, outcomeOfWeather } from '../http/outcomes.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import { normaliseRoot, plainRoot, prettyRoot, routeUrl } from './api-root.ts';
import { WORDPRESS_LABEL } from './limits.ts';

/** `http` to `https`, a host to its `www`: more is a loop. */
const MOST_REDIRECTS = 4;

const NOT_WORDPRESS: Outcome<never> = {
  kind: 'rejected',
  code: 'not_wordpress',
  reason: 'There is no WordPress site with a REST API at this address: give the address of its front page.',
};

/**
 * The site's own word (a Link header), else the two places where an API usually is. Redirects are followed, each under
 * the guard: where the front page moved to, the API is too.
 */
export async function discoverRoot(options: ClientOptions): Promise<Outcome<string>> {
  const front = await readFrontPage(options, options.connection.baseUrl);
  if (front.kind !== 'done') return front;
  const { site, root } = front.value;
  if (root !== null) return { kind: 'done', value: root };
  for (const candidate of [prettyRoot(site), plainRoot(site)]) {
    const ended = await exchange(
      { method: 'GET', url: routeUrl(candidate, '/', { _fields: 'namespaces' }) },
      contextOf(options),
    );
    if (ended.kind === 'answer') {
      if (isIndex(ended) || isLocked(ended)) return { kind: 'done', value: normaliseRoot(candidate) };
      if (ended.status === 429) return outcomeOfRateLimit(ended, WORDPRESS_LABEL, options.now());
      if (ended.status >= 500) return outcomeOfWeather(ended, 'read', WORDPRESS_LABEL);
    } else if (ended.kind !== 'redirect' && ended.kind !== 'tooLarge') {
      return outcomeOfSilence(ended, 'read', WORDPRESS_LABEL);
    }
  }
  return NOT_WORDPRESS;
}

async function readFrontPage(
  options: ClientOptions,
  address: string,
): Promise<Outcome<{ site: string; root: string | null }>> {
  let url = address;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const ended = await exchange({ method: 'HEAD', url, headers: { accept: '*/*' } }, contextOf(options));
    if (ended.kind === 'redirect') {
      if (ended.location === null || !URL.canParse(ended.location, url)) return NOT_WORDPRESS;
      url = new URL(ended.location, url).href;
    } else if (ended.kind === 'answer') {
      return { kind: 'done', value: { site: url, root: rootInLink(ended.headers.link, url) } };
    } else {
      return outcomeOfSilence(ended, 'read', WORDPRESS_LABEL);
    }
  }
  return NOT_WORDPRESS;
}

/** `<https://blog.example.com/wp-json/>; rel="https://api.w.org/"` among the links of a page. */
export function rootInLink(header: string | undefined, base: string): string | null {
  for (const [, target = '', parameters = ''] of (header ?? '').slice(0, 8192).matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (!/;\s*rel\s*=\s*"?https:\/\/api\.w\.org\/"?/i.test(parameters)) continue;
    const url = URL.canParse(target, base) ? new URL(target, base) : null;
    if (url?.protocol === 'https:' || url?.protocol === 'http:') return normaliseRoot(url.href);
  }
  return null;
}

function isIndex(answer: HttpAnswer): boolean {
  const namespaces = field(answer.json, 'namespaces');
  return Array.isArray(namespaces) && namespaces.includes('wp/v2');
}

/** A site that shows its API to people it knows says so in WordPress's own words. */
function isLocked(answer: HttpAnswer): boolean {
  const code = field(answer.json, 'code');
  return (answer.status === 401 || answer.status === 403) && typeof code === 'string' && code.startsWith('rest_');
}
