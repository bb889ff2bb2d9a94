/** Look-up of platforms and destinations by key and name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESTINATION_KEYS } from '../../article/types.ts';
import { findDestination, findDestinationForKey } from '../../destinations/clients.ts';
import { findKey, PLATFORMS_BY_KEY } from '../../destinations/platforms.ts';
import { DESCRIPTORS, findDescriptor, nameDestination } from '../../destinations/registry.ts';
import type { Platform } from '../../destinations/types.ts';

test('every destination key has platforms', () => {
  assert.deepEqual(Object.keys(PLATFORMS_BY_KEY), [...DESTINATION_KEYS]);
});

test('a platform is found by its name, and an unknown name returns null', () => {
  assert.equal(findDestination('forem')?.platform, 'forem');
  assert.equal(findDestination('hashnode')?.platform, 'hashnode');
  assert.equal(findDestination('medium')?.platform, 'medium');
  assert.equal(findDestination('ghost')?.platform, 'ghost');
  assert.equal(findDestination('linkedin')?.platform, 'linkedin');
  for (const name of ['', 'FOREM', 'toString', '__proto__', 'constructor']) assert.equal(findDestination(name), null);
});

test('a platform belongs to its own key only', () => {
  assert.equal(findDestinationForKey('blogsite_a', 'forem')?.platform, 'forem');
  assert.equal(findDestinationForKey('cms_site', 'wordpress')?.platform, 'wordpress');
  assert.equal(findDestinationForKey('blogsite_b', 'forem'), null);
});

test('each descriptor is registered under its own platform, and nothing else is registered', () => {
  for (const [platform, descriptor] of Object.entries(DESCRIPTORS)) assert.equal(descriptor.platform, platform);
  for (const name of ['', 'FOREM', 'toString', '__proto__', 'constructor']) assert.equal(findDescriptor(name), null);
});

test('a destination is named by its connected platform, else by all that can be connected', () => {
  const wordpress = { destination: 'cms_site', platform: 'wordpress' } as const;
  assert.equal(nameDestination('cms_site', [wordpress]), 'WordPress');
  assert.equal(nameDestination('cms_site'), 'WordPress or Ghost');
  assert.equal(nameDestination('blogsite_a', [wordpress]), nameDestination('blogsite_a'));
  assert.equal(nameDestination('cms_site', [{ ...wordpress, platform: 'removed-later' }]), 'removed-later');
});

test('each form names its fields, their kind, and whether the author must enter an address', () => {
  const forms = Object.values(DESCRIPTORS).map(({ platform, connection: { fields, defaultBaseUrl }, ...rest }) => [
    platform,
    fields.map(({ name, kind, isOptional }) => `${name} ${kind}${isOptional ? ', optional' : ''}`).join('; '),
    defaultBaseUrl,
    rest.formatsAsHtml ? 'HTML' : 'text',
  ]);
  assert.deepEqual(forms, [
    ['forem', 'apiKey secret', 'https://dev.to/api', 'text'],
    ['hashnode', 'token secret; publicationId text', 'https://gql-beta.hashnode.com', 'text'],
    ['medium', 'token secret', 'https://api.medium.com/v1', 'HTML'],
    ['wordpress', 'username text; applicationPassword secret', null, 'HTML'],
    ['ghost', 'adminKey secret', null, 'HTML'],
    [
      'linkedin',
      'accessToken secret; organizationId text, optional; apiVersion text, optional',
      'https://api.linkedin.com',
      'text',
    ],
  ]);
});

test('each form has steps, and complete sentences and labels', () => {
  for (const { label, connection } of Object.values(DESCRIPTORS)) {
    const { steps, caution, fields, address } = connection;
    assert.ok(steps.length > 1, label);
    const sentences = [
      ...steps,
      address.hint,
      ...fields.map(({ hint }) => hint),
      ...(caution === undefined ? [] : [caution]),
    ];
    for (const sentence of sentences) assert.match(sentence, /^\S.{10,}\.$/, label);
    for (const name of [address.label, ...fields.map((field) => field.label)])
      assert.match(name, /^\w[\w ]+\w$/, label);
    for (const [, link] of sentences.join(' ').matchAll(/\]\(([^)]*)\)/g)) assert.match(link ?? '', /^https:\/\/\S+$/);
  }
  const cautioned = Object.values(DESCRIPTORS).filter(({ connection }) => connection.caution !== undefined);
  assert.deepEqual(
    cautioned.map(({ platform }) => platform),
    ['hashnode', 'medium'],
  );
});

test('readers see the name of the platform, or of the site where its copy is', () => {
  const name = (host: string) => Object.values(DESCRIPTORS).map((descriptor) => descriptor.nameCopy(host));
  assert.deepEqual(name('dev.to'), ['DEV', 'Hashnode', 'Medium', 'dev.to', 'dev.to', 'LinkedIn']);
  assert.deepEqual(name('blog.example'), [
    'blog.example',
    'Hashnode',
    'Medium',
    'blog.example',
    'blog.example',
    'LinkedIn',
  ]);
});

test('every platform belongs to one destination key', () => {
  const keys = Object.values(DESCRIPTORS).map(({ platform }) => findKey(platform));
  assert.deepEqual(keys, ['blogsite_a', 'blogsite_b', 'blogsite_c', 'cms_site', 'cms_site', 'social_feed']);
  assert.throws(() => findKey('myspace' as Platform), { message: 'no destination has the platform myspace' });
});

test('what each platform can do follows from its limits', () => {
  const abilities = Object.values(DESCRIPTORS).map(({ platform, limits }) => [
    platform,
    ...[limits.canFind && 'find', limits.canUpdate && 'update', limits.withdraw, limits.repeat !== null && 'repeat'],
  ]);
  assert.deepEqual(
    abilities.map((words) => words.filter(Boolean).join(' ')),
    [
      'forem find update unpublished',
      'hashnode find update delisted',
      'medium none',
      'wordpress find update unpublished',
      'ghost find update unpublished',
      'linkedin deleted repeat',
    ],
  );
});
