/** The codes with which an import refuses a source or a post. A missing code does not compile. */
import type { CodeEntry } from '../notice-codes.ts';

export const IMPORT_REFUSALS = {
  address_refused: ['The address is not allowed, such as a private address.', 'Use a public address.'],
  endpoint_moved: ['The address has moved.', 'Use the new address.'],
  feed_empty: ['The feed is empty.', 'Check the address.'],
  feed_is_page: ['The address is that of a web page, not of a feed.', 'Enter the address of the feed itself.'],
  feed_unreadable: ['The text is not RSS, RDF, Atom or JSON Feed, or is damaged.', 'Check the feed.'],
  given_up: ['The post could not be fetched or read after several attempts.', 'Import again later.'],
  image_kept: ['The picture was not copied.', 'Follow the message.'],
  image_refused: ['The server of the picture refuses access.', 'Add the picture to the article.'],
  lost: ['The listed post is no longer stored.', 'Import again.'],
  members_only: ['The feed contains only the beginning of this story.', 'Publish its full text from a file.'],
  no_image: ['The file is not a PNG, JPEG, GIF, WebP or AVIF picture.', 'Convert the picture.'],
  not_found: ['The source has no such name, blog or post.', 'Check the identifier.'],
  plan_required: ['The platform allows API access only on its paid plan.', 'Import from the feed of the blog.'],
  redirect: ['The address redirects without end, or without an address.', 'Use the final address.'],
  source_refused: ['The source refuses the request.', 'Follow the message.'],
  storage_full: ['The documents of the author use all the available storage.', 'Delete articles, then import again.'],
  too_complex: ['Reading or rendering the post takes too long.', 'Split the post and publish it from files.'],
  too_large: ['The post or the feed is too large.', 'Publish the text from a file, in parts.'],
  unreadable: ['The text of the post cannot be read.', 'Publish it from a file.'],
} as const satisfies Record<string, CodeEntry>;

export type ImportRefusalCode = keyof typeof IMPORT_REFUSALS;
