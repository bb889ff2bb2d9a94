/**
 * The texts, links and form fields of all pages, so that no change of them goes unnoticed.
 * `node --test --test-update-snapshots test/api/web/page-texts.test.ts` writes them.
 */
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { addNotification } from '../../../store/notifications/add.ts';
import { createDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import { addPageView } from '../../support/add-page-view.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { fillRoute, isDeskPath, listRoutes, type Route } from '../../support/api/routes.ts';
import { insertConnection } from '../../support/database/insert-connection.ts';
import { openVisitor, type Page, type Visitor } from '../accounts/settings-support.ts';
import { waitUntilAllDerived } from '../articles/support/lists.ts';
import { listLines, normalise } from './support/page-lines.ts';

type Answer = Pick<Page, 'status' | 'location' | 'text'>;

let api: TestApi;
let parameters: Record<string, string>;
let visitor: Visitor;
before(async () => {
  // Nothing listens there: no workflow is needed.
  api = await startTestApi({ temporal: '127.0.0.1:1', now: () => new Date('2026-11-21T12:00:00Z') });
  visitor = await openVisitor(api, 'page-author');
  const { token } = await createDeveloperToken(api.db, { userId: visitor.userId, name: 'of pages', now: new Date() });
  const frontmatter = { title: 'A title', subtitle: 'A subtitle', tags: ['one'], generate_toc: true };
  const content = markdown(frontmatter, 'Words.\n\n## Part\n\nMore.\n\n### Detail\n\nEven more.\n');
  const { data } = (await api.publish({ content }, { token })).body;
  const id = data?.id ?? '';
  parameters = {
    slug: data?.slug ?? '',
    username: 'page-author',
    tag: 'one',
    destination: 'blogsite_a',
    id,
    articleId: id,
  };
  await addActivity(id, visitor.userId);
  await waitUntilAllDerived(api);
});
after(() => api.close());

/** Adds an active and a refused connection, page views and a notification. */
async function addActivity(articleId: string, userId: string): Promise<void> {
  const { db } = api;
  await insertConnection(api, userId, ['blogsite_a', 'forem']);
  await insertConnection(api, userId, ['blogsite_b', 'hashnode']);
  await db.updateTable('connections').set({ status: 'unauthorised' }).where('destination', '=', 'blogsite_b').execute();
  await addPageView(db, {
    articleId,
    views: 7,
    readingSeconds: 420,
    now: new Date('2026-11-20T12:00:00Z'),
    host: 'a.example',
  });
  await addPageView(db, { articleId, views: 2, readingSeconds: 60, now: new Date('2026-11-19T12:00:00Z') });
  const payload = { actorName: 'Bo', postTitle: '' };
  const notification = {
    userId,
    type: 'NEW_FOLLOWER',
    payload,
    dedupeKey: 'x',
    link: '/authors/bo',
    now: new Date(),
  } as const;
  await db.transaction().execute((tx) => addNotification(tx, notification));
}

test('pages for people who are signed in have the recorded texts and fields', async (context) => {
  await record(context, 'desk', listPaths('GET', isDesk), visitor.get);
});

test('pages for everybody have the recorded texts and fields', async (context) => {
  const isPublic = (route: Route) => !isDesk(route) && !/^\/(?:dev|assets|cards|images|health)/.test(route.pattern);
  const pages = ['/a-title', '/authors/page-author', '/tags/one', '/search?q=title', ...listPaths('GET', isPublic)];
  await record(context, 'public', pages, async (path) => {
    const response = await fetch(api.url + path, { headers: { accept: 'text/html' }, redirect: 'manual' });
    return { status: response.status, location: null, text: await response.text() };
  });
});

test('empty forms of the desk are answered with the recorded problems', async (context) => {
  const isHarmless = ({ pattern }: Route) => !/logout|delete|end-all|revoke/.test(pattern);
  await record(
    context,
    'problems',
    listPaths('POST', (route) => isDesk(route) && isHarmless(route)),
    (path) => visitor.send(path),
  );
});

function isDesk({ pattern }: Route): boolean {
  return isDeskPath(pattern);
}

function listPaths(method: string, isListed: (route: Route) => boolean): string[] {
  const routes = listRoutes(api).filter((route) => route.method === method && isListed(route));
  return routes
    .filter(
      ({ pattern }) => !pattern.includes('*') && pattern !== '/desk/stream' && !pattern.startsWith('/notifications'),
    )
    .map((route) => fillRoute(route, (name) => parameters[name] ?? `unknown-${name}`));
}

async function record(
  context: TestContext,
  name: string,
  paths: readonly string[],
  request: (path: string) => Promise<Answer>,
): Promise<void> {
  const pages: string[] = [];
  for (const path of paths) {
    const { status, location, text } = await request(path);
    const isPage = text.startsWith('<!doctype html>');
    const lines = isPage ? listLines(unified().use(rehypeParse).parse(text)).filter(Boolean) : [];
    if (lines.length > 0 || location !== null)
      pages.push([`# ${path} ${status} ${location ?? ''}`, ...lines].join('\n'));
  }
  const text = normalise(api, pages.join('\n\n'));
  context.assert.fileSnapshot(text, join(import.meta.dirname, 'page-texts', `${name}.txt`), { serializers: [String] });
}
