import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { DestinationKey } from '../../../article/types.ts';
import { markdown, type PublishAnswer, startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { insertConnection } from '../../support/database/insert-connection.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { addDelivery, type DeliveryRows } from '../deliveries/support/rows.ts';

let api: TestApi;
let author: TestAuthor;
before(async () => {
  api = await startTestApi();
  author = await api.createAuthor('connected');
  await insertConnection(api, author.id, ['blogsite_a', 'forem']);
  await insertConnection(api, author.id, ['blogsite_b', 'hashnode']);
});
after(() => api.close());

const publish = (content: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  api.publish({ content, ...more }, { token: author.token, headers });

/** Formats each warning as `destination code path line`. */
function listWarnings({ body }: PublishAnswer): string[] {
  return (body.warnings ?? []).map(({ destination, code, path, line }) =>
    [destination, code, path, line].filter((part) => part !== undefined).join(' '),
  );
}

const FIVE_TAGS = { tags: ['a', 'b', 'c', 'd', 'e'] };
const BOTH = { blogsite_a: true, blogsite_b: true };

test('an article that every destination shows as written gives no warnings', async () => {
  assert.deepEqual(listWarnings(await publish(markdown({ title: 'Plain', tags: ['a'], cross_post: BOTH }))), []);
});

test('a fifth tag, a long title and a cover without an address give warnings for the destinations that lose them', async () => {
  const answer = await publish(markdown({ title: 'word '.repeat(40).trim(), ...FIVE_TAGS, generate_toc: true }));
  assert.equal(answer.status, 201);
  assert.deepEqual(listWarnings(answer), [
    'blogsite_a title_cut title',
    'blogsite_a tag_dropped tags',
    'blogsite_a toc_dropped generate_toc',
  ]);
  assert.match(answer.body.warnings?.[1]?.message ?? '', /The tag “e” is not sent to DEV/);
});

test('warnings have the line numbers of the document as sent', async () => {
  const lines = ['---', 'title: Lines', '---', '', 'Text.', '', 'An embed: {% youtube abc %}.', ''];
  const expected = ['blogsite_a liquid_as_text content 7', 'blogsite_b liquid_as_text content 7'];
  assert.deepEqual(listWarnings(await publish(lines.join('\n'))), expected);
  assert.deepEqual(listWarnings(await publish(lines.join('\r\n'))), expected);
  // The heading becomes the title and leaves the body.
  const headed = ['', '# Lines of a heading', '', 'Text.', '', 'A {{ variable }}.', ''];
  assert.deepEqual(listWarnings(await publish(headed.join('\n'))), ['blogsite_a liquid_as_text content 6']);
});

test('warnings have no line numbers for rewritten MDX, but have them for Markdown', async () => {
  const fence = '````\n```\n````\n';
  const rewritten = `---\ntitle: Mdx\n---\nimport A from "../publish/a"\n\n<A>inside</A>\n\n${fence}`;
  assert.ok(listWarnings(await publish(rewritten)).includes('blogsite_a nested_fence cross_post.blogsite_a'));
  const invalid = `---\ntitle: Mdx\n---\nimport A from "../publish/a"\n\n<A>{% raw %}\n\n${fence}`;
  assert.ok(listWarnings(await publish(invalid)).includes('blogsite_a nested_fence content 8'));
});

test('an article that a destination would reject is stored with a warning', async () => {
  const answer = await publish(markdown({ title: 'Too long there' }, `${'A sentence of the body. '.repeat(4_500)}\n`));
  assert.equal(answer.status, 201);
  assert.deepEqual(listWarnings(answer), ['blogsite_b destination_would_refuse content']);
  assert.match(answer.body.warnings?.[0]?.message ?? '', /Hashnode accepts at most 100 KB.*will fail/);
});

test('a relative image without a base gives a warning with its line', async () => {
  const answer = await publish('---\ntitle: Relative\n---\n\n![x](./x.png)\n');
  assert.deepEqual(listWarnings(answer), ['picture_unreachable content 5']);
});

test('destinations that are not selected, not connected or not delivered to give no warnings', async () => {
  const loud = { title: 'Quiet', ...FIVE_TAGS };
  assert.deepEqual(listWarnings(await publish(markdown({ ...loud, cross_post: { blogsite_a: false } }))), []);
  assert.deepEqual(listWarnings(await publish(markdown({ ...loud, draft: true }))), []);
  assert.deepEqual(listWarnings(await publish(markdown(loud), { syndicationMode: 'local' })), []);
  assert.deepEqual(listWarnings(await api.publish({ content: markdown(loud) })), []);
  const later = await publish(markdown({ ...loud, title: 'Later', scheduled_at: '2049-01-01T00:00:00Z' }));
  assert.deepEqual(listWarnings(later), ['blogsite_a tag_dropped tags']);
});

test('a destination with many losses gives twenty warnings and the number of the others', async () => {
  const tags = Array.from({ length: 40 }, (_, index) => `tag${index}`);
  const { body } = await publish(markdown({ title: 'Many tags', tags, cross_post: { blogsite_b: false } }));
  assert.equal(body.warnings?.length, 21);
  assert.deepEqual([body.warnings?.at(-1)?.code, body.warnings?.at(-1)?.destination], ['more_losses', 'blogsite_a']);
  assert.match(body.warnings?.at(-1)?.message ?? '', /16 more/);
});

test('a repeat with the same key gets the same warnings', async () => {
  const content = markdown({ title: 'Repeated', ...FIVE_TAGS });
  const headers = { 'idempotency-key': 'warnings' };
  const first = await publish(content, {}, headers);
  const second = await publish(content, {}, headers);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(second.body, first.body);
  assert.deepEqual(listWarnings(second), ['blogsite_a tag_dropped tags']);
});

const HIDDEN = { presence: 'hidden', withdrawnAt: new Date() } as const;

async function addCopy(answer: PublishAnswer, destination: DestinationKey, more: DeliveryRows = {}) {
  const copy = { remoteUrl: `https://there.example/${destination}`, ...more.copy };
  await addDelivery(api.db, answer.body.data?.id ?? '', destination, { ...more, copy });
}

test('an article made a draft again lists each live copy with what its platform can do', async () => {
  const first = await publish(markdown({ title: 'Taken back' }));
  await addCopy(first, 'blogsite_a');
  await addCopy(first, 'blogsite_b');
  await addCopy(first, 'blogsite_c');
  await addCopy(first, 'cms_site', { copy: HIDDEN });
  const { body } = await publish(markdown({ title: 'Taken back', draft: true }));
  const messages = body.warnings?.map(({ code, destination, message }) => `${code} ${destination}: ${message}`) ?? [];
  assert.equal(messages.length, 3);
  assert.match(messages[0] ?? '', /^remote_copy_live blogsite_a: The copy at https:.*is being unpublished/);
  assert.match(messages[1] ?? '', /^remote_copy_live blogsite_b: .*from the lists, but stays readable/);
  assert.match(messages[2] ?? '', /^remote_copy_live blogsite_c: .*stays live: the destination is not connected/);
});

test('a copy with a rejected credential stays live until the destination is connected again', async () => {
  const owner = await api.createAuthor('refused');
  await insertConnection(api, owner.id, ['blogsite_a', 'forem']);
  const first = await api.publish({ content: markdown({ title: 'Refused' }) }, { token: owner.token });
  await addCopy(first, 'blogsite_a');
  await api.db.updateTable('connections').set({ status: 'unauthorised' }).where('userId', '=', owner.id).execute();
  const { body } = await api.publish({ content: markdown({ title: 'Refused', draft: true }) }, { token: owner.token });
  assert.match(body.warnings?.[0]?.message ?? '', /stays live until you connect the destination again/);
});

test('a table gives a warning with its line only for the platform that flattens it', async () => {
  const owner = await api.createAuthor('tables');
  await insertConnection(api, owner.id, ['blogsite_b', 'hashnode']);
  await insertConnection(api, owner.id, ['blogsite_c', 'medium']);
  await insertConnection(api, owner.id, ['cms_site', 'wordpress']);
  const everywhere = { blogsite_c: true, cms_site: true };
  const content = markdown({ title: 'A table', cross_post: everywhere }, 'Text.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n');
  const answer = await api.publish({ content }, { token: owner.token });
  const lost = answer.body.warnings?.filter(({ code }) => code.includes('table')) ?? [];
  assert.deepEqual(
    lost.map(({ destination, line }) => [destination, line]),
    [['blogsite_c', 8]],
  );
});

test('a copy at a platform without updates stays unchanged, and the response warns', async () => {
  const owner = await api.createAuthor('unchangeable');
  await insertConnection(api, owner.id, ['blogsite_c', 'medium']);
  const frontmatter = { title: 'Once', cross_post: { blogsite_c: true }, generate_toc: true };
  const send = (body: string, more: object = {}) =>
    api.publish({ content: markdown({ ...frontmatter, ...more }, body) }, { token: owner.token });
  const first = await send('Text.\n');
  assert.deepEqual(listWarnings(first), ['blogsite_c toc_dropped generate_toc']);
  await addCopy(first, 'blogsite_c');
  // Publishing the same document again does not change the copy.
  assert.deepEqual(listWarnings(await send('Text.\n')), ['blogsite_c toc_dropped generate_toc']);
  const changed = await send('Other text.\n');
  assert.deepEqual(listWarnings(changed), ['blogsite_c destination_not_updated cross_post.blogsite_c']);
  assert.match(changed.body.warnings?.[0]?.message ?? '', /Medium cannot update posts: the copy at https:\S+ stays/);
  const back = await send('Other text.\n', { draft: true });
  assert.match(back.body.warnings?.[0]?.message ?? '', /stays live: Medium cannot withdraw posts/);
});

test('a connection to a platform that does not belong to its key is ignored', async () => {
  const owner = await api.createAuthor('strange');
  await insertConnection(api, owner.id, ['blogsite_a', '__proto__']);
  await insertConnection(api, owner.id, ['blogsite_b', 'forem']);
  const answer = await api.publish({ content: markdown({ title: 'Strange', ...FIVE_TAGS }) }, { token: owner.token });
  assert.equal(answer.status, 201);
  assert.deepEqual(listWarnings(answer), []);
});

test('a copy withdrawn by its author stays withdrawn, and the response names the command that restores it', async () => {
  const first = await publish(markdown({ title: 'Withdrawn', ...FIVE_TAGS }));
  await addCopy(first, 'blogsite_a', { withdrawRequested: true, copy: HIDDEN });
  const again = await publish(markdown({ title: 'Withdrawn', ...FIVE_TAGS }));
  // No losses, because nothing is sent.
  assert.deepEqual(listWarnings(again), ['blogsite_a destination_withdrawn cross_post.blogsite_a']);
  assert.match(again.body.warnings?.[0]?.message ?? '', /retryDelivery/);
});

test('a destination disconnected while the document is read gives no delivery warnings', async () => {
  const leaver = await api.createAuthor('leaves-meanwhile');
  await insertConnection(api, leaver.id, ['blogsite_a', 'forem']);
  const content = markdown({ title: 'Left meanwhile', ...FIVE_TAGS });
  const answer = await api.db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${leaver.id} for no key update`.execute(tx);
    const published = api.publish({ content }, { token: leaver.token });
    await waitForLock(api.db);
    await tx.deleteFrom('connections').where('userId', '=', leaver.id).execute();
    return { published };
  });
  assert.deepEqual(listWarnings(await answer.published), []);
});
