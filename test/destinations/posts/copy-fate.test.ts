/** Messages about copies of a withdrawn article, and about copies that cannot be updated. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFormat } from '../../../destinations/format/platform-formats.ts';
import { describeUnchangeable, describeWithdrawal } from '../../../destinations/posts/describe-withdrawal.ts';

const url = 'https://there.example/post';
const rows = [
  ['no connection', null, 'stays live: the destination is not connected. Remove it there, or connect it again.'],
  ['an unknown platform', 'unheard-of', 'stays live: unheard-of cannot take a post back. Remove it there.'],
  ['medium', 'medium', 'stays live: Medium cannot take a post back. Remove it there.'],
  ['forem', 'forem', 'is being unpublished; look there to be sure.'],
  ['linkedin', 'linkedin', 'is being deleted; look there to be sure.'],
  [
    'hashnode',
    'hashnode',
    'is being taken out of the lists, but stays readable at its address: delete it there to be rid of it.',
  ],
] as const;

for (const [what, platform, fate] of rows) {
  test(`a copy of a withdrawn article: ${what}`, () => {
    const connection = platform === null ? null : { platform, status: 'active' as const };
    const { isWithdrawn, message } = describeWithdrawal({ url, connection }, platform && findFormat(platform));
    assert.equal(message, `The copy at ${url} ${fate}`);
    assert.equal(isWithdrawn, !fate.startsWith('stays live'));
  });
}

test('a copy stays live if the credential is refused', () => {
  const connection = { platform: 'forem', status: 'unauthorised' } as const;
  assert.deepEqual(describeWithdrawal({ url: null, connection }, findFormat('forem')), {
    isWithdrawn: false,
    message: 'The copy there stays live until you connect the destination again, since it refused the credential.',
  });
});

test('a copy that cannot be changed is named by its address, if it is known', () => {
  assert.match(
    describeUnchangeable('Medium', url),
    /^Medium cannot change a post: the copy at https:\S+ stays as it was/,
  );
  assert.match(describeUnchangeable('Medium', null), /: the copy there stays as it was published\.$/);
});

const MAY_BE = 'the outcome of an attempt to make one is not known.';
const LOOK = 'Look there, and remove it if you find one.';
type Uncertain = { status?: 'active' | 'unauthorised'; account?: string; isFormer?: boolean };
const uncertain: [string | null, Uncertain, string][] = [
  ['medium', {}, `A post may be at Medium: ${MAY_BE} ${LOOK}`],
  ['medium', { account: '@me' }, `A post may be at the account “@me”: ${MAY_BE} ${LOOK}`],
  ['linkedin', {}, `A post may be at LinkedIn: ${MAY_BE} ${LOOK}`],
  [
    'forem',
    { account: '@me' },
    `A post may be at the account “@me”: ${MAY_BE} It is looked for, and unpublished if it is there.`,
  ],
  ['hashnode', {}, `A post may be at Hashnode: ${MAY_BE} It is looked for, and taken out of the lists if it is there.`],
  ['forem', { status: 'unauthorised' }, `A post may be at DEV / Forem: ${MAY_BE} ${LOOK}`],
  [null, { account: '@me', isFormer: true }, `A post may be at the account “@me”: ${MAY_BE} ${LOOK}`],
  [null, { isFormer: true }, `A post may be at the account that was connected before: ${MAY_BE} ${LOOK}`],
  [null, {}, `A post may be at the destination: ${MAY_BE} ${LOOK}`],
];

for (const [platform, { status = 'active', ...more }, expected] of uncertain) {
  test(`an uncertain copy at ${platform ?? 'an account that is not connected'}: ${JSON.stringify({ status, ...more })}`, () => {
    const connection = platform === null ? null : { platform, status };
    const copy = { url: null, connection, isUncertain: true, ...more };
    const { message, isWithdrawn } = describeWithdrawal(copy, platform === null ? null : findFormat(platform));
    assert.equal(message, expected);
    assert.equal(isWithdrawn, message.includes('looked for'));
  });
}
