/** The metrics of one process, with those of Node.js: processor time, memory, event loop, garbage collection. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

interface Reading {
  name: string;
  help: string;
  /** Called when Prometheus asks. */
  read: () => number | Promise<number>;
}

/** What cannot be read is NaN, so that a graph has a gap there and no line at zero. */
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

/** Of what counts by itself anyway: on hot paths that costs nothing. */
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
