/** The codes of problem responses (`code`). A code that is missing here does not compile. */
import type { CodeEntry } from '../../../article/notice-codes.ts';
import type { RefusalCode } from '../../../store/commands/refusal-codes.ts';

export const PROBLEM_CODES = {
  author_suspended: ['The account is suspended and cannot publish.', 'Write to the operator.'],
  bad_address: ['The URL of the request is malformed.', 'Correct its escapes.'],
  bad_arguments: ['The arguments of an MCP tool are not valid.', 'Correct the arguments that the message lists.'],
  bad_cursor: ['The list cannot be continued with this cursor.', 'Start without `after`.'],
  bad_host: ['The Host header is missing or malformed.', 'Send one valid Host header.'],
  bad_parameter: ['Parameters of the address are not valid; `errors` lists each.', 'Correct them.'],
  bad_request: ['The request is not valid HTTP, or has another defect that the detail names.', 'Correct the request.'],
  body_too_large: ['The request body is too large.', 'Shorten it; the limit for `content` is 1 MiB.'],
  busy: ['Too many page views are waiting to be written.', 'Try again after the time in `Retry-After`.'],
  content_length_mismatch: ['The length of the body does not match Content-Length.', 'Send the correct length.'],
  content_too_large: ['The content exceeds 1 MiB.', 'Shorten or split the article.'],
  database_unavailable: [
    'The database is unreachable. If the connection was lost during the request, its result is unknown.',
    'Send the same request again; a saved article is found and not created twice.',
  ],
  documents_busy: [
    'The machine is busy rendering documents. Nothing was changed.',
    'Try again after the time in `Retry-After`.',
  ],
  doubtful: [
    'The text may not be meant for the public, or its publish would unpublish the article. Only in the editor.',
    'Confirm with the checkbox, or correct the text.',
  ],
  email_not_confirmed: [
    'The address of the account is not confirmed yet.',
    'Use the link in the mail, or request another one at the desk.',
  ],
  foreign_form: ['The form was not sent from a page of this site.', 'Open the page on this site and try again.'],
  headers_too_large: ['The headers of the request are too large.', 'Send fewer or shorter headers.'],
  idempotency_key_in_progress: [
    'A request with this Idempotency-Key is still in progress.',
    'Try again after the time in `Retry-After`.',
  ],
  idempotency_key_malformed: ['The Idempotency-Key is malformed.', 'Send 1 to 255 visible ASCII characters.'],
  idempotency_key_reused: ['The Idempotency-Key was used for another request.', 'Use a new key for each document.'],
  images_unavailable: ['The image store is unavailable.', 'Try again in a moment.'],
  internal_error: ['An internal error.', 'Report the `requestId`.'],
  invalid_document: [
    'The document cannot be published; `errors` lists every problem with path, line and column.',
    'Correct the document.',
  ],
  invalid_request: ['Fields of the request are invalid; `errors` lists each.', 'Correct them.'],
  invalid_text: ['A field of a form contains characters that cannot be stored.', 'Remove them.'],
  invalid_token: ['The developer token is unknown, revoked or expired.', 'Create another one at the desk.'],
  malformed_form: ['The body does not match its Content-Type. Nothing was changed.', 'Correct the Content-Type.'],
  malformed_json: ['The body is not valid JSON.', 'Correct it; the detail names the position.'],
  malformed_reading: ['The report of a page view is malformed.', 'Send `seconds` and `referrer` as documented.'],
  malformed_request: ['The parameters of a GraphQL request are invalid.', 'Send one JSON object with `query`.'],
  malformed_utf8: ['The body is not valid UTF-8.', 'Save the file as UTF-8 and send it again.'],
  method_not_allowed: ['The address does not support this method.', 'Use a method that `Allow` lists.'],
  missing_token: ['The request has no developer token.', 'Send `Authorization: Bearer <token>`.'],
  no_batches: ['A request to MCP may contain one message.', 'Send one message per request.'],
  not_for_models: ['The author does not permit models to read this article.', 'Do not use its text.'],
  not_found: ['Nothing public has this address.', 'Check the address.'],
  not_one_click: ['The form must contain `List-Unsubscribe=One-Click`.', 'Send the form of RFC 8058.'],
  origin_not_allowed: ['Pages of another origin cannot call this endpoint.', 'Call it from a program.'],
  other_account: ['Another account is signed in than the one that opened the form.', 'Sign in again as the author.'],
  overloaded: ['The server is overloaded. Nothing was changed.', 'Try again after the time in `Retry-After`.'],
  platform_not_connected: [
    'The connected site is not of the platform that the request names. Nothing was published.',
    'Connect a site of this platform, or leave the flag out.',
  ],
  post_json: ['GraphQL accepts only `Content-Type: application/json`.', 'Send JSON.'],
  rate_limited: ['The limit of requests is reached.', 'Wait for the time in `Retry-After`.'],
  request_timeout: ['The request did not arrive in time.', 'Send it again.'],
  search_busy: ['Too many searches are running.', 'Try again after the time in `Retry-After`.'],
  search_too_slow: ['The search took too long.', 'Use rarer words, or a tag or author.'],
  start_again: ['The cursor belongs to a former state of the database.', 'Start without `since`.'],
  storage_full: [
    'The documents of the author use all the available storage.',
    'Delete articles, or ask the operator for a higher limit.',
  ],
  too_complex: ['The document is too complex to be rendered.', 'Split or simplify it.'],
  too_deep: ['The request is nested too deep. Nothing was changed.', 'Send a flatter request.'],
  too_many_exports: ['Too many downloads of the export within one hour.', 'Wait for the time in `Retry-After`.'],
  too_many_fields: ['The form has too many fields.', 'Send the form as the page contains it.'],
  too_many_refusals: [
    'Too many requests with invalid tokens came from this network.',
    'Correct the token, and wait for the time in `Retry-After`.',
  ],
  unauthenticated: ['The session is missing, ended or expired.', 'Sign in, or refresh the session.'],
  unknown_transfer_coding: ['The Transfer-Encoding is not supported.', 'Send the body chunked or with its length.'],
  unsupported_encoding: ['Compressed request bodies are not supported.', 'Send the body uncompressed.'],
  unsupported_media_type: ['The Content-Type is not supported here.', 'Send the type that the detail names.'],
  withdrawn: ['The article is no longer published.', 'Do not cite it.'],
} as const satisfies Record<string, CodeEntry>;

/** Other refused commands have their code in lower case, with the status 409. */
export type ProblemCode = keyof typeof PROBLEM_CODES | Lowercase<RefusalCode>;
