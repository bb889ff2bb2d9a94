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
import { describe, type Finding, fail, ok, warn } from './finding.ts';

const SUBJECT = 'Temporal';
const TIMEOUT_MS = 5_000;
const { TASK_QUEUE_TYPE_WORKFLOW, TASK_QUEUE_TYPE_ACTIVITY } = proto.temporal.api.enums.v1.TaskQueueType;

export async function checkTemporal(taskQueue: string, variables: NodeJS.ProcessEnv): Promise<Finding[]> {
  let config: TemporalConfig;
  try {
    config = loadTemporalConfig(variables);
  } catch (error) {
    const advice = 'Correct the TEMPORAL_… variables. The files they name must exist and be readable.';
    return [fail(SUBJECT, `The settings of Temporal cannot be read: ${describe(error)}.`, advice)];
  }
  const problem = await probeTemporal(config);
  if (problem) return [describeFailure(problem, config)];
  let connection: Connection;
  try {
    connection = await Connection.connect({ ...config.connectionOptions, connectTimeout: TIMEOUT_MS });
  } catch (error) {
    return [describeFailure(error, config)];
  }
  try {
    const namespace = await checkNamespace(connection, config);
    if (namespace.level === 'fail') return [namespace];
    return [
      namespace,
      await checkAttributes(connection, config),
      ...(await checkQueues(connection, config, taskQueue)),
    ];
  } finally {
    await connection.close();
  }
}

function describeFailure(error: unknown, config: TemporalConfig): Finding {
  const { message, remedy } = describeTemporalFailure(error, config);
  return fail(SUBJECT, message, `${remedy} Until then, articles are accepted but not delivered.`);
}

async function checkNamespace(connection: Connection, config: TemporalConfig): Promise<Finding> {
  const { namespace } = config;
  const address = config.connectionOptions?.address ?? 'localhost:7233';
  try {
    await request(connection, () => connection.workflowService.describeNamespace({ namespace }));
    return ok(SUBJECT, `The namespace ${namespace} exists at ${address}.`);
  } catch (error) {
    return describeFailure(error, config);
  }
}

async function checkAttributes(connection: Connection, { namespace }: TemporalConfig): Promise<Finding> {
  try {
    const missing = await request(connection, () => listMissingAttributes(connection, namespace));
    if (missing.length === 0) return ok(SUBJECT, 'The search attributes exist.');
    const advice =
      'The first worker registers them. In Temporal Cloud, register them manually as Keyword (docs/deployment.md).';
    return warn(SUBJECT, `These search attributes are missing: ${missing.join(', ')}.`, advice);
  } catch (error) {
    const advice = 'In Temporal Cloud, check them manually (docs/deployment.md).';
    return warn(SUBJECT, `The search attributes cannot be listed: ${describe(error)}.`, advice);
  }
}

async function checkQueues(connection: Connection, { namespace }: TemporalConfig, queue: string): Promise<Finding[]> {
  const queues = [
    { name: queue, taskQueueType: TASK_QUEUE_TYPE_WORKFLOW },
    ...ACTIVITY_QUEUES.map((kind) => ({
      name: buildActivityQueue(queue, kind),
      taskQueueType: TASK_QUEUE_TYPE_ACTIVITY,
    })),
  ];
  const counts = await Promise.all(
    queues.map(async ({ name, taskQueueType }) => {
      const { pollers } = await request(connection, () =>
        connection.workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType }),
      );
      return { name, workers: new Set(pollers?.map(({ identity }) => identity)).size };
    }),
  );
  const idle = counts.filter(({ workers }) => workers === 0).map(({ name }) => name);
  if (idle.length === 0) return [ok(SUBJECT, `${counts[0]?.workers} workers poll ${queue} and its queues.`)];
  const advice =
    'Start one (`npm run worker`) with the same TEMPORAL_TASK_QUEUE. Until then, articles are accepted but not delivered.';
  return [warn(SUBJECT, `No worker polls ${idle.join(', ')}.`, advice)];
}

function request<T>(connection: Connection, call: () => Promise<T>): Promise<T> {
  return connection.withDeadline(Date.now() + TIMEOUT_MS, call);
}
