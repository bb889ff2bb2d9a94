/**
 * The codes of warnings, with their meaning and the next step. A code that is missing here does not
 * compile. `docs/reference/errors.md` is generated from these lists.
 */

/** The meaning of a code, and what the reader can do. */
export type CodeEntry = readonly [meaning: string, nextStep: string];

const AS_WRITTEN = 'Nothing, if the result is acceptable; the message names an alternative.';

/** Of a document: `courant publish`, its dry run, the editor and the response to a publish. */
export const DOCUMENT_NOTICES = {
  admonition_as_text: ['Readers see an admonition of MkDocs (`!!! note`) as written.', 'Write `> [!NOTE]`.'],
  already_public: [
    'The article is public, so a time in the future is ignored.',
    'To schedule it again, unpublish it first.',
  ],
  attributes_removed: ['An attribute list (`{: … }`) is left out.', 'Nothing.'],
  block_id_removed: [
    '`^id` at the end of a block is a block id of Obsidian and is left out.',
    'To show it, write `\\^`.',
  ],
  canonical_clash: [
    'Public articles of other authors have this canonical URL. All of them are listed.',
    'If your text was not first published there, change `canonical_url`; otherwise write to the operator.',
  ],
  comment_removed: ['`%% … %%` is a comment of Obsidian and is left out.', 'To show it, write `\\%%`.'],
  container_as_text: ['A container (`::: name`) is not supported; its contents remain.', 'Nothing.'],
  content_signal_ignored: [
    '`ai` cannot be read. The values of the profile and the site apply.',
    'Write `search`, `input` or `train` with yes or no.',
  ],
  contents_removed: ['A placeholder for a table of contents is left out.', 'Set `generate_toc: true`.'],
  control_characters_removed: [
    'Control characters, terminal escapes or text-direction overrides were removed.',
    'Check the text at the reported line.',
  ],
  destination_not_accepted: [
    '`cross_post` contains a key that is not a destination. Nothing is sent there.',
    'Use one of the listed destinations.',
  ],
  diagram_as_code: ['A diagram is shown as its source code.', 'Add a picture of the diagram.'],
  embed_replaced: ['A frame, video, audio, object or gist becomes a link.', AS_WRITTEN],
  hidden_text_removed: [
    'Invisible text that AI models read was removed: tag characters, runs of variation selectors.',
    'Check where the text comes from.',
  ],
  html_removed: ['Readers do not see this raw HTML.', 'Write it as Markdown, or as code.'],
  invalid_characters_replaced: ['Half a character was replaced by U+FFFD.', 'Correct the text at the reported line.'],
  key_given_twice: ['Two keys are the same field. The message names the one that is used.', 'Remove one of them.'],
  mdx_component_removed: ['An MDX component is left out; its text remains.', 'Write Markdown in its place.'],
  mdx_expression_removed: ['An MDX expression is left out.', 'Write its value as text.'],
  mdx_read_as_markdown: ['The text resembles MDX but is not valid, so it is read as Markdown.', 'Correct the MDX.'],
  picture_unreachable: [
    'A picture or cover is still relative: readers see its alternative text or a broken picture. A cover is left out.',
    'Set `base_url` or `canonical_url`, or write the full address.',
  ],
  relative_link: ['A link is still relative and leads nowhere.', 'Set `base_url`, or write the full address.'],
  scheduled_at_ignored: ['`scheduled_at` has no effect with the requested state.', 'Set `status: SCHEDULED`.'],
  scheduled_in_past: ['`scheduled_at` has passed, so the article is published now.', 'Choose a later time.'],
  series_unknown: [
    '`series_id` is neither the id nor the title of one of your series. The article is in no series.',
    'Create the series, then publish again.',
  ],
  shortcode_removed: ['A shortcode (`{{< … >}}`) or widget (`%%[…]`) is left out.', AS_WRITTEN],
  slug_ignored: ['The slug was not usable.', 'Write letters, digits and hyphens.'],
  slug_normalised: ['The slug was changed to a usable one.', 'Write the slug as the message shows it.'],
  slug_taken: ['The slug is not available. The message names the slug of the article.', 'Choose another slug.'],
  state_contradiction: [
    '`status`, `draft` and `published` disagree. `status` decides; without it, the article stays a draft.',
    'Keep one of them.',
  ],
  state_doubtful: [
    'A key of another tool seems to mean “not public”, but the article is published.',
    'Set `status`. `courant publish` requires confirmation, or `--yes`.',
  ],
  syndication_mode_unknown: ['`syndicationMode` has a value other than `local`. It has no effect.', 'Remove it.'],
  template_as_text: ['Readers see a tag of a template (`{% include … %}`) as written.', 'Write its output.'],
  template_link_as_text: ['A link with a template address shows only its text.', 'Write the full address.'],
  subtitle_long: ['Only from the command line: the subtitle is longer than 200 characters.', 'Shorten it.'],
  text_removed: [
    'Text inside an HTML element that is not shown was removed. The warning quotes it; after 20 the rest is counted.',
    'Move the text out of the element, or write it as code.',
  ],
  time_ambiguous: ['The time occurs twice because clocks go back. The first one is used.', 'Add an offset.'],
  time_without_offset: ['The time has no offset and is read as UTC.', 'Add an offset, or a zone in brackets.'],
  title_from_file_name: ['The document has no title, so the file name is its title.', 'Add `title`.'],
  wiki_link_as_text: ['A wiki link (`[[…]]`) shows only its text.', 'Write a Markdown link with an address.'],
} as const satisfies Record<string, CodeEntry>;

/** Of a dry run: how keys were read. */
export const HINTS = {
  field_alias: ['The key was read as the field that the message names.', 'Nothing.'],
  field_ignored: ['The key was not read.', 'Nothing, if it belongs to another tool.'],
} as const satisfies Record<string, CodeEntry>;

/**
 * Of a publish, about its destinations. They change nothing: each delivery ends as without them.
 */
export const DESTINATION_NOTICES = {
  cannot_update: ['The platform cannot change posts: later edits do not reach the copy.', 'Edit the copy there.'],
  cannot_withdraw: ['The platform cannot withdraw posts, or only hides them.', 'Delete the copy there.'],
  destination_not_connected: ['The destination is selected by name but not connected.', 'Connect it, publish again.'],
  destination_not_updated: [
    'The platform cannot change a post: the live copy stays as it was published.',
    'Edit the copy there.',
  ],
  destination_withdrawn: ['The author withdrew the copy, so nothing is sent.', 'Use `retryDelivery`.'],
  destination_would_refuse: [
    'The platform would certainly refuse the article: the delivery ends as failed.',
    'Correct what the message names and publish again.',
  ],
  more_losses: [
    'There are more than 20 differences; this is the number of the others.',
    'See the preview at the desk.',
  ],
  not_checked: ['The article is too large to be checked in advance for this platform.', 'See the delivery.'],
  remote_copy_live: [
    'The article is not public any more, or is scheduled. The message describes what happens to its copy.',
    'Follow the message.',
  ],
  remote_copy_unknown: [
    'The same for a copy that may exist, because the outcome of its create is unknown.',
    'Check at the account that the message names.',
  ],
} as const satisfies Record<string, CodeEntry>;

/** What a platform does not show as written. The message names the platform. */
export const LOSSES = {
  code_changed: ['The platform changes lines of code that begin with `---`.', AS_WRITTEN],
  comments_open: ['Programs cannot close the comments of a single post there.', 'Close them at the platform.'],
  cover_dropped: ['The cover is not sent.', 'Use a full web address of a supported picture.'],
  cover_ignored: ['The site did not accept the cover.', 'Set it there, or publish again.'],
  cover_left_out: [
    'The cover could not be downloaded or uploaded; the message names the cause.',
    'Correct it and publish again.',
  ],
  details_opened: ['Collapsed text is shown.', AS_WRITTEN],
  embed_as_link: ['The site does not support the embedded page, so it becomes a link.', AS_WRITTEN],
  embed_linked: ['An embedded page becomes a link.', AS_WRITTEN],
  excerpt_cut: ['The excerpt or subtitle is cut.', 'Shorten it.'],
  footnotes_flattened: ['Footnotes become a list of notes at the end.', AS_WRITTEN],
  heading_lowered: ['Headings are one level lower, because the title is the first level.', AS_WRITTEN],
  headings_flattened: ['The platform has two levels of headings; lower levels become the second.', AS_WRITTEN],
  image_dropped: ['A picture is left out.', 'Use its full web address.'],
  link_dropped: ['Only the text of a link is sent.', 'Use a full web address.'],
  liquid_as_text: ['A Liquid tag is shown as text.', AS_WRITTEN],
  math_as_code: ['A formula is shown as its source code.', AS_WRITTEN],
  nested_fence: ['Code that contains three backticks may be cut off.', 'Fence it with more backticks.'],
  single_block: ['The article is so long that it is sent as one HTML block.', 'Shorten or split the article.'],
  subtitle_dropped: ['The subtitle is not sent.', AS_WRITTEN],
  table_as_text: ['A table becomes aligned text.', AS_WRITTEN],
  tag_dropped: ['A tag is not sent.', 'Use fewer, shorter or plainer tags.'],
  task_list: ['A task list becomes a list with signs.', AS_WRITTEN],
  text_cut: ['The text of the post is cut.', 'Shorten the excerpt.'],
  title_cut: ['The title is cut.', 'Shorten the title.'],
  toc_dropped: ['The platform has no table of contents.', AS_WRITTEN],
} as const satisfies Record<string, CodeEntry>;

/** Of a scheduled or restored article, shown with it. */
export const ARTICLE_NOTICES = {
  destinations_changed: [
    'The destinations at the time of publication were not those of the schedule.',
    'Check the deliveries of the article.',
  ],
  published_late: ['The article was published late. The message names the cause.', 'Nothing.'],
  restored_not_public: [
    'The service was restored from a backup in which the article is not public; its copy is still live.',
    'Publish the article again, or withdraw the copy.',
  ],
  schedule_held: [
    'The account was suspended at the scheduled time.',
    'Nothing: the article is published when the suspension ends.',
  ],
  schedule_moved: ['New rules of the time zone moved the time.', 'Reschedule it if the new time does not fit.'],
} as const satisfies Record<string, CodeEntry>;

/** Of an import and its posts. */
export const IMPORT_NOTICES = {
  cover_ignored: ['The cover at the source is not a web address and is left out.', 'Add a cover to the article.'],
  empty_entries: ['Entries with neither title nor text were left out.', 'Nothing.'],
  encoding_guessed: ['The feed declares no usable encoding.', 'Check letters outside of English.'],
  excerpt_only: ['The feed contains only an excerpt of the post.', 'Publish the full text from a file.'],
  feed_too_long: ['Later pages of the feed were not read.', 'Import the older posts from files.'],
  image_kept: ['A picture was not copied; the article refers to its former address.', 'Follow the message.'],
  import_full: ['The source has more posts than one import accepts.', 'Import again, if the message names a size.'],
  nothing_found: ['The source lists no post of this name.', 'Check the name.'],
  only_newest: ['The source lists only its newest posts.', 'Import the others from its archive.'],
  read_from_feed: [
    'The API requires a paid plan, so the posts come from the feed, without series.',
    'Check the oldest posts.',
  ],
} as const satisfies Record<string, CodeEntry>;

export type NoticeCode =
  | keyof typeof DOCUMENT_NOTICES
  | keyof typeof HINTS
  | keyof typeof DESTINATION_NOTICES
  | keyof typeof LOSSES
  | keyof typeof ARTICLE_NOTICES
  | keyof typeof IMPORT_NOTICES;
