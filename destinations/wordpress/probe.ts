/** Whose account a connection is, on which site, and whether it may publish there. */
import { field } from '../http/json-fields.ts';
import { outcomeOfWeather } from '../http/outcomes.ts';
import { plainLine } from '../http/reason.ts';
import type { ClientOptions, Outcome, ProbedAccount } from '../types.ts';
import { isApiRoot, normaliseRoot } from './api-root.ts';
import { callWordPress } from './call.ts';
import { discoverRoot } from './discovery.ts';
import { WORDPRESS_LABEL } from './limits.ts';
import { NO_RIGHT_TO_PUBLISH } from './refusals.ts';

export async function probeWordPress(options: ClientOptions): Promise<Outcome<ProbedAccount>> {
  const { baseUrl } = options.connection;
  const root: Outcome<string> = isApiRoot(baseUrl)
    ? { kind: 'done', value: normaliseRoot(baseUrl) }
    : await discoverRoot(options);
  if (root.kind !== 'done') return root;
  const at: ClientOptions = { ...options, connection: { ...options.connection, baseUrl: root.value } };
  const query = { context: 'edit', _fields: 'id,slug,capabilities' };
  const me = await callWordPress(at, { method: 'GET', route: '/wp/v2/users/me', query }, 'read');
  if (me.kind !== 'done') return me;
  const id = field(me.value.json, 'id');
  if (typeof id !== 'number') return outcomeOfWeather(me.value, 'read', WORDPRESS_LABEL);
  if (field(field(me.value.json, 'capabilities'), 'publish_posts') !== true) {
    return { kind: 'rejected', code: 'cannot_publish', reason: NO_RIGHT_TO_PUBLISH };
  }
  const home = await readHome(at);
  if (home.kind !== 'done') return home;
  const name = plainLine(String(field(me.value.json, 'slug') ?? '')).slice(0, 100);
  return { kind: 'done', value: { account: `${home.value} ${id}/${name}`, baseUrl: root.value } };
}

/** The site by the name that it gives itself: it may be reached by others, and is one site all the same. */
async function readHome(options: ClientOptions): Promise<Outcome<string>> {
  const answer = await callWordPress(options, { method: 'GET', route: '/', query: { _fields: 'home' } }, 'read');
  if (answer.kind !== 'done') return answer;
  const home = field(answer.value.json, 'home');
  if (typeof home !== 'string' || !URL.canParse(home)) return outcomeOfWeather(answer.value, 'read', WORDPRESS_LABEL);
  const { host, pathname } = new URL(home);
  return { kind: 'done', value: plainLine(`${host}${pathname.replace(/\/+$/, '')}`).slice(0, 300) };
}
