/**
 * Checks Temporal: reachable with the configured certificates and keys, the namespace, our search
 * attributes, and workers on every task queue.
 */
import { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { loadTemporalConfig, type TemporalConfig } from '../../temporal/connection.ts';
import { describeTemporalFailure } from '../../temporal/describe-failure.ts';
import { ACTIVITY_QUEUES, buildActivityQueue } from '../../temporal/names.ts';
import { probeTemporal } from '../../temporal/probe.ts';
import { listMissingAttributes } from '../../temporal/visibility/search-attributes.ts';
import { createFindings, describe, type Finding } from './finding.ts';

const { ok, warn, fail } = createFindings('Temporal');
const TIMEOUT_MS = 5_000;
const { TASK_QUEUE_TYPE_WORKFLOW, TASK_QUEUE_TYPE_ACTIVITY } = proto.temporal.api.enums.v1.TaskQueueType;

export async function checkTemporal(taskQueue: string, variables: NodeJS.ProcessEnv): Promise<Finding[]> {
  let config: TemporalConfig;
  try {
    config = loadTemporalConfig(variables);
  } catch (error) {
    const advice = 'Correct the TEMPORAL_… variables. The files they name must exist and be readable.';
    return [fail(`The settings of Temporal cannot be read: ${describe(error)}.`, advice)];
  }
  const { namespace, connectionOptions } = config;
  let connection: Connection | undefined;
  try {
    const problem = await probeTemporal(config);
    if (problem) throw problem;
    const opened = await Connection.connect({ ...connectionOptions, connectTimeout: TIMEOUT_MS });
    connection = opened;
    await request(opened, () => opened.workflowService.describeNamespace({ namespace }));
  } catch (error) {
    await connection?.close();
    const { message, remedy } = describeTemporalFailure(error, config);
    return [fail(message, `${remedy} Until then, articles are accepted but not delivered.`)];
  }
  try {
    return [
      ok(`The namespace ${namespace} exists at ${connectionOptions?.address ?? 'localhost:7233'}.`),
      await checkAttributes(connection, config),
      await checkQueues(connection, config, taskQueue),
    ];
  } finally {
    await connection.close();
  }
}

async function checkAttributes(connection: Connection, { namespace }: TemporalConfig): Promise<Finding> {
  try {
    const missing = await request(connection, () => listMissingAttributes(connection, namespace));
    if (missing.length === 0) return ok('The search attributes exist.');
    const advice =
      'The first worker registers them. In Temporal Cloud, register them as Keyword (docs/self-hosting/temporal.md).';
    return warn(`These search attributes are missing: ${missing.join(', ')}.`, advice);
  } catch (error) {
    const advice = 'In Temporal Cloud, check them manually (docs/self-hosting/temporal.md).';
    return warn(`The search attributes cannot be listed: ${describe(error)}.`, advice);
  }
}

async function checkQueues(connection: Connection, { namespace }: TemporalConfig, queue: string): Promise<Finding> {
  const countWorkers = async (name: string, taskQueueType: number) => {
    const { pollers } = await request(connection, () =>
      connection.workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType }),
    );
    return { name, workers: new Set(pollers?.map(({ identity }) => identity)).size };
  };
  const counts = await Promise.all([
    countWorkers(queue, TASK_QUEUE_TYPE_WORKFLOW),
    ...ACTIVITY_QUEUES.map((kind) => countWorkers(buildActivityQueue(queue, kind), TASK_QUEUE_TYPE_ACTIVITY)),
  ]);
  const idle = counts.filter(({ workers }) => workers === 0).map(({ name }) => name);
  if (idle.length === 0) return ok(`${counts[0]?.workers} workers poll ${queue} and its queues.`);
  const advice =
    'Start one (`npm run worker`) with the same TEMPORAL_TASK_QUEUE. Until then, articles are accepted but not delivered.';
  return warn(`No worker polls ${idle.join(', ')}.`, advice);
}

function request<T>(connection: Connection, call: () => Promise<T>): Promise<T> {
  return connection.withDeadline(Date.now() + TIMEOUT_MS, call);
}
