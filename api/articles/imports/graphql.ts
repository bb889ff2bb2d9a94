/** GraphQL fields that start, read and cancel imports, which run independently of a session. */
import { readPublishTime } from '../../../article/frontmatter/publish-time.ts';
import type { ImportSource as Source } from '../../../article/import/import-place.ts';
import { cleanLine } from '../../../article/text/clean-text.ts';
import { checkAddress, RefusedAddressError } from '../../../destinations/http/address-guard.ts';
import { SOURCES } from '../../../sources/registry.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { findConnection } from '../../../store/connections/list.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { MAX_IMPORT_ITEMS } from '../../../store/imports/store-page.ts';
import { cancelImport, MAX_IMPORTS_PER_DAY, startImport } from '../../../store/imports/start-import.ts';
import { findOwnImport, listOwnImports } from '../../../store/imports/own-imports.ts';
import { REPORT_RETENTION_DAYS } from '../../../store/imports/sweep.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { type GraphqlContext, requireUser } from '../../graphql/context.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../../graphql/pages.ts';
import { readTimePosition } from '../../web/lists/positions.ts';
import { Import, ImportImages, ImportSource } from './types.ts';

builder.queryField('import', (t) =>
  t.field({
    type: Import,
    nullable: true,
    description: 'One of your imports; null where there is none with this id.',
    args: { id: t.arg.id({ required: true, description: 'As importArticles answered it.' }) },
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
    description: `Your imports, the newest first. One that ended is forgotten after ${REPORT_RETENTION_DAYS} days; what it imported stays. Errors: BAD_CURSOR, BAD_INPUT.`,
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

builder.mutationField('importArticles', (t) =>
  t.field({
    type: Import,
    description: `Orders an import of your posts elsewhere, which runs by itself; import(id) follows it. Articles that are made are never sent to destinations and never announced, before you publish them again. What is here already is left as it is, so that a second run adds only what is new. One at a time, and ${MAX_IMPORTS_PER_DAY} a day.\nErrors: BAD_IDENTIFIER, BAD_INPUT, BAD_TIME, IMPORT_RUNNING, SUSPENDED, TOO_MANY.`,
    args: {
      source: t.arg({ type: ImportSource, required: true, description: 'Where from.' }),
      identifier: t.arg.string({
        required: true,
        description: 'A user name, the host of a blog, or an address, as the source says it.',
      }),
      limit: t.arg.int({ description: `The newest so many: 1 to ${MAX_IMPORT_ITEMS}.` }),
      since: t.arg.string({ description: 'Only what was published since: ISO 8601.' }),
      draft: t.arg.boolean({ defaultValue: false, description: 'As drafts, whatever they are there.' }),
      dryRun: t.arg.boolean({
        defaultValue: false,
        description: 'Stores nothing, and says what would become of each.',
      }),
      images: t.arg({
        type: ImportImages,
        defaultValue: 'keep',
        description: 'What becomes of the pictures in the posts.',
      }),
    },
    resolve: async (_root, args, context) => {
      const { db, now, onDecided } = context.deps;
      const userId = requireUser(context);
      const identifier = cleanLine(args.identifier);
      const place = await readPlace(context, userId, { source: args.source, identifier });
      const order = {
        ...{ userId, source: args.source, identifier, place },
        mostItems: readLimit(args.limit),
        since: args.since == null ? null : readSince(args.since),
        asDraft: args.draft === true,
        dryRun: args.dryRun === true,
        images: args.images ?? ('keep' as const),
        now: now(),
      };
      const { id } = await startImport(db, order);
      onDecided();
      const row = await findOwnImport(db, { userId, importId: id });
      if (!row) throw new Error('an import was ordered and is not there');
      return row;
    },
  }),
);

builder.mutationField('cancelImport', (t) =>
  t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description: 'Ends it; what was imported stays. False where it had ended before. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Of one of your imports.' }) },
    resolve: async (_root, { id: importId }, context) => {
      const { db, now, onDecided } = context.deps;
      const userId = requireUser(context);
      if (!isUuid(importId)) throw new RefusedCommandError('NOT_FOUND', 'There is no such import among yours.', 'id');
      const isCancelled = await cancelImport(db, { userId, importId, now: now() });
      onDecided();
      return isCancelled;
    },
  }),
);

const MAX_IDENTIFIER_CHARACTERS = 2_000;

/**
 * Rejects an invalid or forbidden address at once, instead of starting an import that fails. Host
 * names are resolved and checked later, when the import connects.
 */
async function readPlace(
  { deps: { db, config } }: GraphqlContext,
  userId: string,
  { source, identifier }: { source: Source; identifier: string },
) {
  const connected = source === 'rss' ? undefined : await findConnection(db, userId, source);
  const place = SOURCES[source].readPlace(identifier.slice(0, MAX_IDENTIFIER_CHARACTERS), connected?.baseUrl ?? null);
  if ('problem' in place) throw new RefusedCommandError('BAD_IDENTIFIER', place.problem, 'identifier');
  try {
    checkAddress(place.baseUrl, { allowPrivate: config.allowPrivate });
  } catch (error) {
    if (!(error instanceof RefusedAddressError)) throw error;
    throw new RefusedCommandError('BAD_IDENTIFIER', error.message, 'identifier');
  }
  return place;
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
