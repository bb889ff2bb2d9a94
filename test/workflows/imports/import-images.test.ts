/** Tests which pictures of imported posts are copied, and the effect of a further import. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { makePng, PICTURES } from '../../store/images/files/pictures.ts';
import { addressOf, type PictureWorld, startPictureWorld } from '../support/picture-world.ts';

let pictures: PictureWorld;
before(async () => {
  pictures = await startPictureWorld();
});
after(() => pictures.close());

test('pictures are copied once, including shared ones, and a second run does not fetch them again', async () => {
  const author = await pictures.world.api.createAuthor('pictures');
  pictures.list(
    pictures.writeItem(
      'one',
      '<p>A <img src="/shared.png" alt="shared"> and <img src="/photo.jpg?size=1&amp;v=2" alt="photo"></p>',
    ) +
      pictures.writeItem(
        'two',
        '<p>Again <img src="/shared.png" alt="shared"> and <img src="/moved.png" alt="moved"></p>',
      ),
  );
  pictures.files['/photo.jpg?size=1&v=2'] = PICTURES.jpg;
  const [one, two] = await pictures.importAll(author);
  assert.deepEqual([one?.outcome, one?.warnings, two?.warnings], ['CREATED', [], []]);
  const base = `http://localhost:${new URL(pictures.world.api.url).port}`;
  const [png, jpg] = [addressOf(PICTURES.png, 'png'), addressOf(PICTURES.jpg, 'jpg')];
  const { body, source: document } = await pictures.findArticle(one);
  assert.equal(body.trim(), `A ![shared](${base}${png}) and ![photo](${base}${jpg})`);
  assert.ok(document.includes(`${base}${png}`));
  assert.equal(
    (await pictures.findArticle(two)).body.trim(),
    `Again ![shared](${base}${png}) and ![moved](${base}${png})`,
  );
  assert.equal((await pictures.listFiles()).length, 2);
  assert.equal(
    pictures.requestedPaths.filter((path) => path === '/shared.png').length,
    2,
    'once by its address, and once by what leads to it',
  );
  const before = pictures.requestedPaths.length;
  assert.deepEqual(
    (await pictures.importAll(author)).map(({ outcome }) => outcome),
    ['PRESENT', 'PRESENT'],
  );
  assert.deepEqual(pictures.requestedPaths.slice(before), ['/feed']);
});

test('a further import copies pictures of imported articles that their author has not published since', async () => {
  const author = await pictures.world.api.createAuthor('pictures-later');
  pictures.files['/first.png'] = makePng('first');
  pictures.files['/second.png'] = makePng('second');
  pictures.list(
    pictures.writeItem('kept', '<p><img src="/first.png" alt="1"></p>') +
      pictures.writeItem('own', '<p><img src="/second.png" alt="2"></p>'),
  );
  const [untouched, published] = await pictures.importAll(author, 'KEEP');
  const before = await pictures.findArticle(untouched);
  assert.ok(before.body.includes(`${pictures.url}/first.png`));
  const content = `---\ntitle: own\ncourant_id: ${published?.article?.id}\n---\n\n![2](${pictures.url}/second.png)\n`;
  assert.equal((await pictures.world.api.publish({ content }, { token: author.token })).body.action, 'updated');

  const again = await pictures.importAll(author);
  assert.deepEqual(
    again.map(({ outcome, reason, warnings }) => [outcome, reason, warnings]),
    [
      ['PRESENT', 'Already imported. A picture was copied now.', []],
      ['PRESENT', 'Already imported.', []],
    ],
  );
  const after = await pictures.findArticle(untouched);
  assert.equal(
    after.body,
    before.body.replace(`${pictures.url}/first.png`, `${pictures.origin()}${addressOf(makePng('first'), 'png')}`),
  );
  assert.ok(after.source.includes(addressOf(makePng('first'), 'png')));
  assert.deepEqual(
    [after.slug, after.publishedAt, after.updatedAt, after.imported, after.dispatch],
    [before.slug, before.publishedAt, before.updatedAt, true, before.dispatch],
  );
  assert.ok(
    (await pictures.findArticle(published)).body.includes(`${pictures.url}/second.png`),
    'what its author publishes is as it says',
  );
  const requestsBefore = pictures.requestedPaths.length;
  assert.deepEqual(
    (await pictures.importAll(author)).map(({ reason }) => reason),
    ['Already imported.', 'Already imported.'],
  );
  assert.deepEqual(pictures.requestedPaths.slice(requestsBefore), ['/feed']);
});

test('a picture that has to wait delays only its own post', async () => {
  const author = await pictures.world.api.createAuthor('one-waits');
  pictures.files['/slow.png'] = makePng('slow');
  pictures.busy.set('/slow.png', 3);
  pictures.list(
    pictures.writeItem('new', '<p>Text.</p>') + pictures.writeItem('old', '<p><img src="/slow.png" alt="slow"></p>'),
  );
  const [first, last] = await pictures.importAll(author);
  assert.deepEqual([last?.outcome, last?.warnings], ['CREATED', []]);
  const [before, after] = [await pictures.findArticle(first), await pictures.findArticle(last)];
  assert.ok(before.createdAt < after.createdAt, 'the oldest would have been the first');
});

test('an invalid, oversized, private or missing picture keeps its address, and the item has a warning', async () => {
  const author = await pictures.world.api.createAuthor('refused-pictures');
  const away = `http://127.0.0.1:${await findFreePort()}/away.png`;
  const shown = ['/vector.svg', '/page.png', '/huge.png', '/gone.png', '/to-metadata.png', away, '/late.gif'];
  pictures.busy.set('/late.gif', 2);
  pictures.list(pictures.writeItem('bad', shown.map((src) => `<p><img src="${src}" alt="x"></p>`).join('')));
  const [item] = await pictures.importAll(author);
  assert.equal(item?.outcome, 'CREATED');
  const messages = item.warnings.map(({ message }) => message);
  for (const [address, reason] of [
    ['/vector.svg', /not a PNG, JPEG/],
    ['/page.png', /not a PNG, JPEG/],
    ['/huge.png', /larger than 10 MiB/],
    ['/gone.png', /HTTP 404/],
    ['/to-metadata.png', /not on the public internet/],
    [away, /could not be reached/],
  ] as const) {
    const message = messages.find((text) => text.includes(`${address} `)) ?? '';
    assert.match(message, reason, messages.join('\n'));
  }
  assert.equal(messages.length, 6);
  const { body } = await pictures.findArticle(item);
  assert.ok(body.includes(`![x](${pictures.url}/vector.svg)`) && body.includes(`![x](${away})`));
  assert.ok(body.includes(addressOf(PICTURES.gif, 'gif')), 'what was busy was asked for again');
});

test('one failing picture does not prevent copies of other pictures of the same host', async () => {
  pictures.files['/beside.png'] = makePng('beside a broken one');
  pictures.list(pictures.writeItem('broken', '<p><img src="/broken.png" alt="broken"></p>'));
  const [broken] = await pictures.importAll(await pictures.world.api.createAuthor('broken-picture'));
  assert.match(broken?.warnings[0]?.message ?? '', /broken.png was not copied/);
  pictures.list(pictures.writeItem('beside', '<p><img src="/beside.png" alt="beside"></p>'));
  const [item] = await pictures.importAll(await pictures.world.api.createAuthor('beside-a-broken-one'));
  assert.deepEqual(item?.warnings, []);
});
