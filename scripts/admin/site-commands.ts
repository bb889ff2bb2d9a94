/** The operator's commands that are about the whole site. Each answers what it did, in a sentence. */
import { recountStatistics } from '../../store/statistics/recount.ts';
import type { AdminDeps } from './commands.ts';

export interface SiteCommand {
  help: string;
  run: (deps: AdminDeps) => Promise<string>;
}

export const SITE_COMMANDS: Record<string, SiteCommand> = {
  'recount-statistics': {
    help: 'after an upgrade: adds to the totals of statistics what the former release wrote without them',
    async run({ db }) {
      const { authors, totals } = await recountStatistics(db);
      return `${totals} totals of ${authors} authors were less than what they add up, and are right now.`;
    },
  },
};
