/**
 * Child process: starts the dev server or the time-skipping server of the Temporal SDK, so that the SDK downloads it.
 * Arguments: folder, version, and optionally `time-skipping`. A process, because the SDK's runtime keeps its threads.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [downloadDir = '', version = '', kind] = process.argv.slice(2);
const server = { executable: { type: 'cached-download' as const, downloadDir, version } };
try {
  const { createLocal, createTimeSkipping } = TestWorkflowEnvironment;
  const create = kind === 'time-skipping' ? createTimeSkipping : createLocal;
  await (await create.call(TestWorkflowEnvironment, { server })).teardown();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${(error as Error).message.split('\n')[0]}\n`);
  process.exit(1);
}
