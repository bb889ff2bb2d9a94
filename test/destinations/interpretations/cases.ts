/**
 * Responses of the six platforms, and foreign responses: the cases of `interpretations.test.ts`.
 */
import type { Platform } from '../../../destinations/types.ts';
import { DEMO_HASHNODE_PUBLICATION } from '../../../sandbox/accounts.ts';

/** The body of a response, with its headers. */
export interface Body {
  text: string;
  headers?: Record<string, string>;
}

export const STATUSES = [
  200, 201, 204, 301, 302, 307, 308, 400, 401, 403, 404, 406, 409, 410, 413, 422, 426, 429, 500, 502, 503, 504,
] as const;

/** Bodies that any server may send. */
export const COMMON_BODIES: Record<string, Body> = {
  empty: { text: '' },
  html: { text: '<!doctype html><title>nginx</title>' },
  null: { text: 'null' },
  object: { text: '{}' },
  list: { text: '[]' },
  'object, with Retry-After': { text: '{}', headers: { 'retry-after': '7' } },
  'php warning': { text: '<b>Warning</b>: Undefined index\n{"id":1,"link":"https://blog.example.com/a"}' },
};

const json = (value: unknown, headers?: Record<string, string>): Body => ({
  text: JSON.stringify(value),
  ...(headers ? { headers } : {}),
});

const graphqlError = (code: string | undefined, more: object = {}) =>
  json({ data: null, errors: [{ message: 'Not so.', ...(code ? { extensions: { code } } : {}), ...more }] });
const mediumError = (code: number) => json({ errors: [{ message: 'Not so.', code }] });
const wordpressError = (code: string) => json({ code, message: '<b>Error:</b> Not so.', data: { status: 400 } });

/** In the platform's own format. */
export const OWN_BODIES: Record<Platform, Record<string, Body>> = {
  forem: {
    post: json({ id: 1, url: 'https://dev.to/a/b', username: 'demo' }),
    error: json({ error: 'Not so.', status: 422 }),
    'canonical taken': json({ error: 'Validation failed: Canonical url has already been taken' }),
    'title just used': json({ error: 'Title has already been used in the last five minutes' }),
  },
  hashnode: {
    post: json({
      data: {
        me: { id: 'u', username: 'demo' },
        publication: {
          id: DEMO_HASHNODE_PUBLICATION,
          post: null,
          posts: { edges: [], pageInfo: { hasNextPage: false } },
        },
        publishPost: { post: { id: 'a', url: 'https://a.example/b' } },
        updatePost: { post: { id: 'a', url: 'https://a.example/b' } },
      },
    }),
    'data null': json({ data: null }),
    'error without code': graphqlError(undefined),
    ...Object.fromEntries(
      [
        'UNAUTHENTICATED',
        'FORBIDDEN',
        'NOT_FOUND',
        'BAD_USER_INPUT',
        'GRAPHQL_VALIDATION_FAILED',
        'GRAPHQL_PARSE_FAILED',
        'INTERNAL_SERVER_ERROR',
      ].map((code) => [`error ${code}`, graphqlError(code)]),
    ),
    'error below the post': graphqlError('INTERNAL_SERVER_ERROR', { path: ['publishPost', 'post', 'url'] }),
    'error of the plan': graphqlError('FORBIDDEN', { message: 'Needs the Pro plan' }),
  },
  medium: {
    post: json({ data: { id: '1a2b3c4d5e6f', username: 'demo', url: 'https://medium.com/p/1a2b3c4d5e6f' } }),
    ...Object.fromEntries([2004, 6000, 6003, 6004, 6005].map((code) => [`error ${code}`, mediumError(code)])),
    'daily limit': json({ errors: [{ message: 'You have reached the rate limit for publishing today.' }] }),
    'daily limit as text': { text: 'You have reached the rate limit for publishing today.' },
    challenge: { text: '<html></html>', headers: { 'cf-mitigated': 'challenge' } },
    'challenge in json': json({}, { 'cf-mitigated': 'challenge' }),
  },
  wordpress: {
    post: json({
      id: 1,
      link: 'https://blog.example.com/a',
      slug: 'demo',
      home: 'https://blog.example.com',
      capabilities: { publish_posts: true, edit_published_posts: true },
    }),
    'numeric code': json({ code: 17, message: 'Not so.' }),
    ...Object.fromEntries(
      [
        'rest_insert_failed',
        'rest_cannot_publish',
        'rest_no_route',
        'rest_post_invalid_id',
        'rest_invalid_param',
        'application_passwords_disabled',
        'incorrect_password',
        'term_exists',
      ].map((code) => [`error ${code}`, wordpressError(code)]),
    ),
  },
  ghost: {
    post: json({
      posts: [
        {
          id: '665f1f77bcf86cd799439099',
          url: 'https://blog.example.com/a/',
          updated_at: '2026-01-01T00:00:00.000Z',
          status: 'published',
          slug: 'a',
        },
      ],
      site: { url: 'https://blog.example.com/' },
    }),
    error: json({ errors: [{ message: 'Not so.', context: 'Because.', type: 'ValidationError' }] }),
    'no errors': json({ errors: [] }),
    'error that is none': json({ errors: ['Not so.'] }),
  },
  linkedin: {
    'post in the header': { text: '', headers: { 'x-restli-id': 'urn:li:share:1' } },
    person: json({ sub: 'a1B2' }),
    error: json({ message: 'Not so.', status: 422 }),
    'duplicate by code': json({ code: 'DUPLICATE_POST', message: 'Content is a duplicate of urn:li:share:7' }),
    'duplicate without a URN': json({ errorDetails: { inputErrors: [{ code: 'DUPLICATE_POST' }] } }),
  },
};

/** The post that some clients read before they change it. */
export const POST_BEFORE_CHANGE: Partial<Record<Platform, Body>> = {
  hashnode: json({
    data: {
      me: { id: 'u' },
      post: { id: 'a', url: 'https://a.example/b', publication: { id: DEMO_HASHNODE_PUBLICATION } },
    },
  }),
  ghost: OWN_BODIES.ghost.post as Body,
  wordpress: json({
    id: 1,
    link: 'https://blog.example.com/a',
    status: 'publish',
    modified_gmt: '2026-01-01T00:00:00',
    author: 1,
    content: { raw: '<p class="courant-original"><a href="https://blog.example.com/original">Original</a></p>' },
  }),
};
