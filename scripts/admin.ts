/**
 * `npm run admin -- <command> [username]`: operator commands for an account or the whole site.
 * Account commands are recorded in `operator_actions` with the operator. Uses DATABASE_URL, else
 * the database that `npm start` runs in the same COURANT_HOME. See docs/accounts.md.
 */
import { ConfigError } from '../runtime/config/environment.ts';
import { openDatabase } from '../store/db/database.ts';
import { ADMIN_COMMANDS, type AdminDeps } from './admin/commands.ts';
import { describeOperator, readAdminConfig } from './admin/config.ts';
import { SITE_COMMANDS } from './admin/site-commands.ts';

const USAGE = `Usage: npm run admin -- <command> <username>

${formatCommands(ADMIN_COMMANDS)}

       npm run admin -- <command>

${formatCommands(SITE_COMMANDS)}`;

process.exitCode = await main(process.argv.slice(2));

async function main([name = '', username, ...rest]: string[]): Promise<number> {
  const command = Object.hasOwn(ADMIN_COMMANDS, name) ? ADMIN_COMMANDS[name] : undefined;
  const siteCommand = Object.hasOwn(SITE_COMMANDS, name) ? SITE_COMMANDS[name] : undefined;
  if (rest.length > 0 || !(siteCommand ? username === undefined : command && username)) {
    console.error(USAGE);
    return 2;
  }
  let db: AdminDeps['db'] | undefined;
  try {
    const config = readAdminConfig();
    db = openDatabase(config.databaseDirectUrl, { maxConnections: 1 });
    if (siteCommand) {
      console.log(await siteCommand.run({ db, config }));
      return 0;
    }
    if (!command || !username) return 2;
    const action = { operator: describeOperator(), username: username.toLowerCase(), now: new Date() };
    const result = await command.run({ db, config }, action);
    if (result === null) console.error(`There is no account with the user name ${username}. Nothing changed.`);
    else console.log(result);
    return result === null ? 1 : 0;
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error);
    return 1;
  } finally {
    await db?.destroy();
  }
}

function formatCommands(commands: Record<string, { help: string }>): string {
  return Object.entries(commands)
    .map(([name, { help }]) => `  ${name.padEnd(20)}${help}`)
    .join('\n');
}
