/** Registers routes, each list in its own scope. */
import type { FastifyInstance } from 'fastify';

/** For a plugin without this name, Fastify searches all loaded modules: 20 ms of a start. */
const NAME = Symbol.for('fastify.display-name');

export async function registerRoutes<Deps extends object>(
  app: FastifyInstance,
  deps: Deps,
  plugins: readonly ((app: FastifyInstance, deps: Deps) => Promise<unknown>)[],
): Promise<void> {
  for (const plugin of plugins) await app.register(Object.assign(plugin, { [NAME]: plugin.name }), deps);
}
