/** Messages about copies of a withdrawn article, and about copies that cannot be updated. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeUnchangeable, describeWithdrawal } from '../../../destinations/posts/describe-withdrawal.ts';
import { findDescriptor } from '../../../destinations/registry.ts';

const url = 'https://there.example/post';
const rows = [
  ['no connection', null, 'stays live: the destination is not connected. Remove it there, or connect it again.'],
  ['an unknown platform', 'unheard-of', 'stays live: unheard-of cannot withdraw posts. Remove it there.'],
  ['medium', 'medium', 'stays live: Medium cannot withdraw posts. Remove it there.'],
  ['forem', 'forem', 'is being unpublished. Check that it is gone.'],
  ['linkedin', 'linkedin', 'is being deleted. Check that it is gone.'],
  [
    'hashnode',
    'hashnode',
    'is being removed from the lists, but stays readable at its address. Delete it there to remove it completely.',
  ],
] as const;

for (const [what, platform, fate] of rows) {
  test(`a copy of a withdrawn article: ${what}`, () => {
    const connection = platform === null ? null : { platform, status: 'active' as const };
    const { isWithdrawn, message } = describeWithdrawal({ url, connection }, platform && findDescriptor(platform));
    assert.equal(message, `The copy at ${url} ${fate}`);
    assert.equal(isWithdrawn, !fate.startsWith('stays live'));
  });
}

test('a copy stays live if the credential is refused', () => {
  const connection = { platform: 'forem', status: 'unauthorised' } as const;
  assert.deepEqual(describeWithdrawal({ url: null, connection }, findDescriptor('forem')), {
    isWithdrawn: false,
    message: 'The copy there stays live until you connect the destination again, because it rejected the credential.',
  });
});

test('an imported original stays unchanged, connected or not', () => {
  for (const connection of [null, { platform: 'forem', status: 'active' } as const]) {
    assert.deepEqual(describeWithdrawal({ url, connection, isOriginal: true }, findDescriptor('forem')), {
      isWithdrawn: false,
      message: `The copy at ${url} is the imported original and stays unchanged.`,
    });
  }
});

test('an uncertain copy without a connection is not looked up', () => {
  const copy = { url, connection: null, isUncertain: true };
  assert.deepEqual(describeWithdrawal(copy, findDescriptor('forem')), {
    isWithdrawn: false,
    message: `There may be a copy at DEV: ${MAY_BE} ${LOOK}`,
  });
});

test('a copy that cannot be changed is named by its address, if it is known', () => {
  const rest = 'stays as it was published.';
  assert.equal(describeUnchangeable('Medium', url), `Medium cannot update posts: the copy at ${url} ${rest}`);
  assert.equal(describeUnchangeable('Medium', null), `Medium cannot update posts: the copy there ${rest}`);
});

const MAY_BE = 'the outcome of an attempt to create it is unknown.';
const LOOK = 'Check there, and remove it if you find one.';
type Uncertain = { status?: 'active' | 'unauthorised'; account?: string; isFormer?: boolean };
const uncertain: [string | null, Uncertain, string][] = [
  ['medium', {}, `There may be a copy at Medium: ${MAY_BE} ${LOOK}`],
  ['medium', { account: '@me' }, `There may be a copy at the account “@me”: ${MAY_BE} ${LOOK}`],
  ['linkedin', {}, `There may be a copy at LinkedIn: ${MAY_BE} ${LOOK}`],
  [
    'forem',
    { account: '@me' },
    `There may be a copy at the account “@me”: ${MAY_BE} If a look-up finds it, it is unpublished.`,
  ],
  ['hashnode', {}, `There may be a copy at Hashnode: ${MAY_BE} If a look-up finds it, it is removed from the lists.`],
  ['forem', { status: 'unauthorised' }, `There may be a copy at DEV: ${MAY_BE} ${LOOK}`],
  [null, { account: '@me', isFormer: true }, `There may be a copy at the account “@me”: ${MAY_BE} ${LOOK}`],
  [null, { isFormer: true }, `There may be a copy at the account that was connected before: ${MAY_BE} ${LOOK}`],
  [null, {}, `There may be a copy at the destination: ${MAY_BE} ${LOOK}`],
];

for (const [platform, { status = 'active', ...more }, expected] of uncertain) {
  test(`an uncertain copy at ${platform ?? 'an account that is not connected'}: ${JSON.stringify({ status, ...more })}`, () => {
    const connection = platform === null ? null : { platform, status };
    const copy = { url: null, connection, isUncertain: true, ...more };
    const { message, isWithdrawn } = describeWithdrawal(copy, platform === null ? null : findDescriptor(platform));
    assert.equal(message, expected);
    assert.equal(isWithdrawn, message.includes('look-up'));
  });
}
