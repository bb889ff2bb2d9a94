/** What the database says of the whole installation: every instance shows the same, so that a query takes the maximum of them. */
import type { Registry } from 'prom-client';
import type { Database } from '../../../store/db/database.ts';
import { measureStanding, type Standing } from '../../../store/operation/measure-standing.ts';
import { observeGauge } from '../../../telemetry/registry.ts';

const METRICS: Record<keyof Standing, [name: string, help: string]> = {
  outboxRows: ['courant_outbox_rows', 'Changes whose workflow has not been signalled yet'],
  outboxAgeSeconds: ['courant_outbox_age_seconds', 'Age of the oldest row of the outbox'],
  lateSchedules: ['courant_schedules_late', 'Scheduled articles whose time has passed'],
  latestScheduleSeconds: ['courant_schedule_lateness_seconds', 'Of the scheduled article that is latest'],
  workerUnseenSeconds: ['courant_worker_unseen_seconds', 'Since any worker was seen'],
  temporalUnseenSeconds: ['courant_temporal_unseen_seconds', 'Since any worker reached Temporal'],
};

/** The gauges of one scrape share one question. */
const SHARED_FOR_MS = 1_000;
/** Prometheus gives up after ten seconds by default; what the process itself says must not wait for a database. */
const ANSWER_WITHIN_MS = 3_000;

export function observeStanding(registry: Registry, db: Database): void {
  let asked: { at: number; standing: Promise<Standing> } | undefined;
  const ask = () => {
    const at = performance.now();
    if (!asked || at - asked.at > SHARED_FOR_MS) asked = { at, standing: answerInTime(measureStanding(db)) };
    return asked.standing;
  };
  for (const [key, [name, help]] of Object.entries(METRICS) as [keyof Standing, [string, string]][]) {
    observeGauge(registry, { name, help, read: async () => (await ask())[key] ?? Number.POSITIVE_INFINITY });
  }
  const read = () =>
    ask().then(
      () => 1,
      () => 0,
    );
  observeGauge(registry, { name: 'courant_database_up', help: '1 while the database answers', read });
}

function answerInTime<T>(question: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`)), ANSWER_WITHIN_MS);
    question.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
