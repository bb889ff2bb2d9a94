/** GraphQL fields that start, read and cancel imports, which run independently of a session. */
import { readPublishTime } from '../../../article/frontmatter/publish-time.ts';
import type { ImportSource as Source } from '../../../article/import/import-address.ts';
import { cleanLine } from '../../../article/text/clean-text.ts';
import { checkAddress, RefusedAddressError } from '../../../destinations/http/address-guard.ts';
import { SOURCES } from '../../../sources/registry.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { findConnection } from '../../../store/connections/list.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { findOwnImport, listOwnImports } from '../../../store/imports/own-imports.ts';
import { cancelImport, MAX_IMPORTS_PER_DAY, startImport } from '../../../store/imports/start-import.ts';
import { MAX_IMPORT_ITEMS } from '../../../store/imports/store-page.ts';
import { EXPIRING_TABLES } from '../../../store/operation/sweep-expired.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { type GraphqlContext, requireUser } from '../../graphql/context.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../../graphql/pages.ts';
import { readTimePosition } from '../../web/lists/cursor.ts';
import { Import, ImportImages, ImportSource } from './types.ts';

builder.queryField('import', (t) =>
  t.field({
    type: Import,
    nullable: true,
    description: 'One of your imports; null if no import has this id.',
    args: { id: t.arg.id({ required: true, description: 'The id that importArticles returned.' }) },
    resolve: async (_root, { id }, context) => {
      const userId = requireUser(context);
      return isUuid(id) ? ((await findOwnImport(context.deps.db, { userId, importId: id })) ?? null) : null;
    },
  }),
);

const ImportConnection = createConnectionType(Import, {
  name: 'Import',
  description: 'A page of imports.',
  edge: 'An import in a list.',
});

builder.queryField('imports', (t) =>
  t.field({
    type: ImportConnection,
    complexity: pageCost,
    description: `Your imports, newest first. A finished import is deleted after ${EXPIRING_TABLES.imports.days} days; its articles stay. Errors: BAD_CURSOR, BAD_INPUT.`,
    args: pageArgs,
    resolve: (_root, args, context) => {
      const { db } = context.deps;
      const userId = requireUser(context);
      return readPage({
        args,
        list: ['imports', userId],
        readPosition: ({ micros, id }) => readTimePosition(micros, id),
        load: (limit, after) => listOwnImports(db, userId, { limit, after }),
        locate: ({ createdAt, id }) => ({ micros: createdAt.getTime() * 1_000, id }),
      });
    },
  }),
);

builder.mutationFields((t) => ({
  importArticles: t.field({
    type: Import,
    description: `Starts an import of your posts from another site. It runs in the background; import(id) returns its progress. Imported articles are not sent to destinations and not announced until you publish them again. Posts that are already here stay unchanged, so a second run adds only new ones. One import at a time, and at most ${MAX_IMPORTS_PER_DAY} a day.\nErrors: BAD_IDENTIFIER, BAD_INPUT, BAD_TIME, IMPORT_RUNNING, SUSPENDED, TOO_MANY.`,
    args: {
      source: t.arg({ type: ImportSource, required: true, description: 'The source of the import.' }),
      identifier: t.arg.string({
        required: true,
        description: 'A user name, the host of a blog, or a URL, as the source requires.',
      }),
      limit: t.arg.int({ description: `Imports only this number of the newest posts: 1 to ${MAX_IMPORT_ITEMS}.` }),
      since: t.arg.string({ description: 'Imports only posts published since this time: ISO 8601.' }),
      draft: t.arg.boolean({
        defaultValue: false,
        description: 'Imports all posts as drafts, whatever their state at the source.',
      }),
      dryRun: t.arg.boolean({
        defaultValue: false,
        description: 'Stores nothing, and reports the expected outcome of each post.',
      }),
      images: t.arg({
        type: ImportImages,
        defaultValue: 'keep',
        description: 'How pictures in the posts are handled.',
      }),
    },
    resolve: async (_root, args, context) => {
      const { db, now, onOutboxWrite } = context.deps;
      const userId = requireUser(context);
      const identifier = cleanLine(args.identifier);
      const sourceAddress = await readSourceAddress(context, userId, { source: args.source, identifier });
      const newImport = {
        ...{ userId, source: args.source, identifier, place: sourceAddress },
        mostItems: readLimit(args.limit),
        since: args.since == null ? null : readSince(args.since),
        asDraft: args.draft === true,
        dryRun: args.dryRun === true,
        images: args.images ?? ('keep' as const),
        now: now(),
      };
      const { id } = await startImport(db, newImport);
      onOutboxWrite();
      const row = await findOwnImport(db, { userId, importId: id });
      if (!row) throw new Error('the import was created but cannot be read');
      return row;
    },
  }),
  cancelImport: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description:
      'Cancels an import. Articles that it imported stay. Returns false if the import had already ended. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of one of your imports.' }) },
    resolve: async (_root, { id: importId }, context) => {
      const { db, now, onOutboxWrite } = context.deps;
      const userId = requireUser(context);
      if (!isUuid(importId)) throw new RefusedCommandError('NOT_FOUND', 'You have no import with this id.', 'id');
      const isCancelled = await cancelImport(db, { userId, importId, now: now() });
      onOutboxWrite();
      return isCancelled;
    },
  }),
}));

const MAX_IDENTIFIER_CHARACTERS = 2_000;

/**
 * Rejects an invalid or forbidden address at once, instead of starting an import that fails. Host
 * names are resolved and checked later, when the import connects.
 */
async function readSourceAddress(
  { deps: { db, config } }: GraphqlContext,
  userId: string,
  { source, identifier }: { source: Source; identifier: string },
) {
  const connection = source === 'rss' ? undefined : await findConnection(db, userId, source);
  const sourceAddress = SOURCES[source].readPlace(
    identifier.slice(0, MAX_IDENTIFIER_CHARACTERS),
    connection?.baseUrl ?? null,
  );
  if ('problem' in sourceAddress) throw new RefusedCommandError('BAD_IDENTIFIER', sourceAddress.problem, 'identifier');
  try {
    checkAddress(sourceAddress.baseUrl, { allowPrivate: config.allowPrivate });
  } catch (error) {
    if (!(error instanceof RefusedAddressError)) throw error;
    throw new RefusedCommandError('BAD_IDENTIFIER', error.message, 'identifier');
  }
  return sourceAddress;
}

function readLimit(limit: number | null | undefined): number | null {
  if (limit == null) return null;
  if (limit >= 1 && limit <= MAX_IMPORT_ITEMS) return limit;
  throw new RefusedCommandError('BAD_INPUT', `limit must be 1 to ${MAX_IMPORT_ITEMS}.`, 'limit');
}

function readSince(text: string): Date {
  const time = readPublishTime(text.slice(0, 200));
  if ('problem' in time) throw new RefusedCommandError('BAD_TIME', `since ${time.problem}.`, 'since');
  return time.at;
}
