/**
 * Writes `store/db/generated-types.ts` from a freshly migrated database. With `--check`, fails if
 * the file is outdated. Needs TEST_DATABASE_URL, which `npm run check` and `npm run test:services`
 * provide.
 */
import { spawnSync } from 'node:child_process';
import { createTestDatabase } from '../test/support/environment.ts';

const database = await createTestDatabase();
try {
  const result = spawnSync(
    'kysely-codegen',
    [
      '--dialect=postgres',
      '--camel-case',
      `--url=${database.url}`,
      '--exclude-pattern=kysely_*',
      '--type-mapping={"int8":"number"}',
      '--out-file=store/db/generated-types.ts',
      ...(process.argv.includes('--check') ? ['--verify'] : []),
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  process.exitCode = result.status ?? 1;
} finally {
  await database.drop();
}
