/**
 * The codes with which destinations reject a call. A code that is missing here does not compile.
 */
import type { CodeEntry } from '../article/notice-codes.ts';

export const REJECTION_CODES = {
  account_unknown: ['The owner of the account is unknown.', 'Connect the account again.'],
  address_refused: [
    'The address of the destination is not allowed, such as a private address.',
    'Correct the address. An operator can allow private addresses with `ALLOW_PRIVATE_DESTINATIONS`.',
  ],
  article_deleted: ['The article was deleted before the attempt.', 'Nothing.'],
  body_empty: ['The destination rejects articles without text.', 'Add text and publish again.'],
  body_too_large: ['The article is too large for the destination.', 'Shorten the article and publish again.'],
  cannot_find: ['The platform does not let programs read posts.', 'Check there, then use `settleDelivery`.'],
  cannot_publish: ['The account may not publish posts at this site.', 'Give it a role that may publish, then retry.'],
  cannot_update: ['The platform cannot change a post.', 'Edit the copy there.'],
  cannot_withdraw: ['The platform cannot withdraw a post; the copy stays live.', 'Delete the copy there.'],
  canonical_invalid: [
    'The destination requires a canonical URL that is a web address.',
    'Correct `canonical_url` and publish again.',
  ],
  canonical_taken: [
    'A post with this canonical URL already exists at the destination.',
    'If it is yours, remove it there, then retry.',
  ],
  collision: ['Someone is editing the post at the destination.', 'Retry later.'],
  credential_unreadable: [
    'The stored credential cannot be decrypted with the configured keys.',
    'Connect again, or let the operator restore the key.',
  ],
  duplicate_of_deleted: ['The platform reports a post that was deleted there.', 'Change the text, then publish again.'],
  duplicate_of_foreign: [
    'The platform reports a post that existed before the first request of this delivery.',
    'Remove the post there, or change the text, then publish again.',
  ],
  duplicate_of_other: ['The platform reports the post of another article.', 'Change the text, then publish again.'],
  duplicate_post: ['The platform has an identical post and does not identify it.', 'Check your posts there.'],
  endpoint_moved: ['The API has another address, or is closed.', 'Correct the address of the connection.'],
  forbidden: ['The account is not allowed to do this.', 'Check the role and permissions of the account there.'],
  format_failed: ['Courant could not format the article. This is a bug.', 'Report it.'],
  invalid: ['The destination refuses the content of the article.', 'Correct what the reason names, publish again.'],
  leads_elsewhere: ['The address of the site redirects to another site.', 'Connect with the address of that site.'],
  not_found: ['There is no such API or item at this address.', 'Correct the address of the connection.'],
  not_ghost: ['There is no Ghost at this address.', 'Enter the address of the site’s admin area.'],
  not_wordpress: [
    'There is no WordPress site with a REST API at this address.',
    'Enter the address of its front page.',
  ],
  organization_invalid: ['A LinkedIn page id is not a number.', 'Correct it and connect again.'],
  plan_required: ['The platform requires a paid plan for API access.', 'Upgrade the publication there, then retry.'],
  platform_unsupported: ['This version has no adapter for the platform.', 'Write to the operator.'],
  posts_hidden: [
    'The site hides posts from the look-up, so an existing copy cannot be found.',
    'Allow the account to read its own posts, then retry.',
  ],
  protocol_mismatch: ['The platform no longer understands the request.', 'Let the operator update Courant.'],
  publication_not_found: ['The platform does not have this publication.', 'Check its id and connect again.'],
  refused: ['The destination refuses the request for the reason given.', 'Correct the cause, then retry.'],
  remote_gone: ['The copy no longer exists, or belongs to another account.', 'Publish again to create another copy.'],
  remote_not_ours: [
    'The post at this address does not belong to this article. It was not changed.',
    'Check the post that the reason names.',
  ],
  rest_disabled: ['The REST API of the site is switched off.', 'Allow it there, for example in a security plugin.'],
  title_missing: ['The destination rejects articles without a title.', 'Add a title and publish again.'],
  title_recently_used: [
    'A post with this title was created less than five minutes ago.',
    'Nothing: the create is repeated once.',
  ],
  too_complex: ['Formatting the article takes too long.', 'Split the article and publish again.'],
  version_mismatch: ['The version of the site is not supported.', 'Update the site, then retry.'],
} as const satisfies Record<string, CodeEntry>;

export type RejectionCode = keyof typeof REJECTION_CODES;
