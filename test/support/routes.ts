/** The routes of an API, read from the API itself, so that a new one is in every test that goes through all of them. */
import type { TestApi } from './api.ts';

export interface Route {
  method: string;
  /** As it is registered: `/articles/:slug`. */
  pattern: string;
}

/** All of them, sorted, with the HEAD that stands beside each GET. */
export function listRoutes({ app }: Pick<TestApi, 'app'>): Route[] {
  const above: string[] = [];
  const routes = app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
      if (part === '') return [];
      const depth = indent.length / 4;
      above.splice(depth, above.length, part);
      const pattern = above.join('');
      return methods === '' ? [] : methods.split(', ').map((method) => ({ method, pattern }));
    });
  return routes.sort((one, other) => `${one.pattern} ${one.method}`.localeCompare(`${other.pattern} ${other.method}`));
}

/** An address of a route, with these values as its parameters, percent-encoded. */
export function fillRoute({ pattern }: Route, value: string | ((name: string) => string)): string {
  return pattern.replaceAll(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(typeof value === 'string' ? value : value(name)),
  );
}
