/** What the desk's articles need. */
import type { CommandDeps } from '../../deliveries/give-command.ts';
import type { ApiDeps } from '../../deps.ts';

export type ArticlesDeps = ApiDeps & CommandDeps;
