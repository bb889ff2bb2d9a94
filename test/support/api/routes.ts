/** Lists the routes of an API from the API itself, so that tests of all routes include new ones. */
import type { TestApi } from './api.ts';

export interface Route {
  method: string;
  /** The registered pattern: `/articles/:slug`. */
  pattern: string;
}

/** Lists all routes, sorted, including the HEAD of each GET. */
export function listRoutes({ app }: Pick<TestApi, 'app'>): Route[] {
  const path: string[] = [];
  const routes = app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
      if (part === '') return [];
      const depth = indent.length / 4;
      path.splice(depth, path.length, part);
      const pattern = path.join('');
      return methods === '' ? [] : methods.split(', ').map((method) => ({ method, pattern }));
    });
  return routes.sort((a, b) => `${a.pattern} ${a.method}`.localeCompare(`${b.pattern} ${b.method}`));
}

/** Whether a page of the desk has this path or pattern. */
export function isDeskPath(path: string): boolean {
  return /^\/(?:desk|settings)(?:\/|$)/.test(path);
}

/** Builds an address of a route with these percent-encoded values as parameters. */
export function fillRoute({ pattern }: Route, value: string | ((name: string) => string)): string {
  return pattern.replaceAll(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(typeof value === 'string' ? value : value(name)),
  );
}
