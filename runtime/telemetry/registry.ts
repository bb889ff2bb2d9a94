/**
 * Creates the metrics registry of a process, with the default metrics of Node.js: processor time,
 * memory, event loop, garbage collection.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

interface Reading {
  name: string;
  help: string;
  /** Called for each scrape. */
  read: () => number | Promise<number>;
}

/** A failed read becomes NaN, so that a graph shows a gap instead of zero. */
export function observeGauge(registry: Registry, { name, help, read }: Reading): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      try {
        this.set(await read());
      } catch {
        this.set(Number.NaN);
      }
    },
  });
}

/** Reads an existing count at scrape time, so that hot paths have no cost. */
export function observeCounter(registry: Registry, { name, help, read }: Reading): void {
  new Counter({
    name,
    help,
    registers: [registry],
    async collect() {
      const count = await read();
      this.reset();
      this.inc(count);
    },
  });
}
