/** All registries of codes, in the order of the page of errors. */
import { GRAPHQL_CODES } from '../../api/graphql/errors.ts';
import { PROBLEM_CODES } from '../../api/plugins/errors/problem-codes.ts';
import { IMPORT_REFUSALS } from '../../article/import/refusal-codes.ts';
import {
  ARTICLE_NOTICES,
  type CodeEntry,
  DESTINATION_NOTICES,
  DOCUMENT_NOTICES,
  HINTS,
  IMPORT_NOTICES,
  LOSSES,
} from '../../article/notice-codes.ts';
import { DELIVERY_CODES } from '../../delivery/delivery-codes.ts';
import { REJECTION_CODES } from '../../destinations/rejection-codes.ts';
import { REFUSAL_CODES } from '../../store/commands/refusal-codes.ts';

export interface CodeRegistry {
  title: string;
  /** Where the codes occur. */
  about: string;
  entries: Record<string, CodeEntry>;
}

export const CODE_REGISTRIES: readonly CodeRegistry[] = [
  {
    title: 'REST problems',
    about:
      'A refused request has a problem document (RFC 9457, `application/problem+json`) with `code`, `detail`, ' +
      '`errors` and `requestId`. Its `type` is `urn:courant:problem:<code>`. A refused command has the ' +
      '[GraphQL code](#refused-commands) in lower case, with the status 409 unless this table has its own entry.',
    entries: PROBLEM_CODES,
  },
  {
    title: 'GraphQL',
    about:
      'Codes of the endpoint itself, in `extensions.code`. A request that is refused before GraphQL processes it has a ' +
      '[REST problem](#rest-problems).',
    entries: GRAPHQL_CODES,
  },
  {
    title: 'Refused commands',
    about:
      'Codes of GraphQL fields, in `extensions.code`; `extensions.field` names the argument. The description of a ' +
      'field lists its codes. `connectDestination` and `reconnectDestination` also return the ' +
      '[rejections of destinations](#rejections-of-destinations) in upper case.',
    entries: REFUSAL_CODES,
  },
  {
    title: 'Deliveries',
    about:
      'Values of `Delivery.errorCode`, beside the rejections below. `error` contains the reason and the next step. ' +
      'Scheduled articles report the same codes in `notices`, an hour before their publication.',
    entries: DELIVERY_CODES,
  },
  {
    title: 'Rejections of destinations',
    about: 'Values of `Delivery.errorCode` after a destination rejected an article, or before it is sent.',
    entries: REJECTION_CODES,
  },
  {
    title: 'Warnings about a document',
    about:
      'In `warnings` of the response to a publish, in the dry run and in the editor. The document is accepted. ' +
      '`path` names the field, `line` and `column` the position in the file as sent.',
    entries: DOCUMENT_NOTICES,
  },
  { title: 'Hints of the dry run', about: 'In `hints` of `courant publish --dry-run`.', entries: HINTS },
  {
    title: 'Warnings about destinations',
    about:
      'In the same `warnings`, with `destination`. Only connected and selected destinations are checked, and none for ' +
      'drafts and `syndicationMode: "local"`. The delivery ends as it would without the warning.',
    entries: DESTINATION_NOTICES,
  },
  {
    title: 'Changes at a destination',
    about:
      'What a platform does not show as written: at most 20 per destination, before anything is sent. If it would ' +
      'refuse the article, the dry run has the code of the [rejection](#rejections-of-destinations).',
    entries: LOSSES,
  },
  { title: 'Notices of an article', about: 'In `Article.notices`, the newest 50.', entries: ARTICLE_NOTICES },
  { title: 'Warnings of an import', about: 'In `Import.notices` and `ImportItem.warnings`.', entries: IMPORT_NOTICES },
  { title: 'Refusals of an import', about: 'In `ImportItem.code`.', entries: IMPORT_REFUSALS },
];
