/**
 * `npm run test:operation`: runs the tests of operator tasks (`test/operation/`): a pooler, backup
 * and restore, two versions in parallel, Temporal with TLS.
 */
import { runSlowTests, runTests } from './check/run-step.ts';

// In sequence, because each test starts several processes.
await runSlowTests(['PGBOUNCER', 'POSTGRES_PROGRAMS'], (surroundings) =>
  runTests(['test/operation/*.test.ts'], surroundings, 1),
);
