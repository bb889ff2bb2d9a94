/** Look-up of platforms and destinations by key and name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESTINATION_KEYS } from '../../article/types.ts';
import { findDestination, findDestinationForKey } from '../../destinations/clients.ts';
import { PLATFORMS_BY_KEY } from '../../destinations/platforms.ts';
import { DESCRIPTORS, findDescriptor, nameDestination } from '../../destinations/registry.ts';

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
