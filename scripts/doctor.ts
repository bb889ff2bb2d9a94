/**
 * `npm run doctor [-- --json]`: checks the settings and the services they name. Reports each
 * problem with its effect and the next step. Changes nothing, sends nothing and prints no secret.
 * Exit code 1 if a check fails, else 0. See docs/self-hosting/configuration.md.
 */
import { checkDatabase } from './doctor/check-database.ts';
import { checkDestinations } from './doctor/check-destinations.ts';
import { checkKeys } from './doctor/check-keys.ts';
import { checkBuilt, checkImages, checkNode } from './doctor/check-machine.ts';
import { checkMail } from './doctor/check-mail.ts';
import { checkPooler } from './doctor/check-pooler.ts';
import { checkSettings } from './doctor/check-settings.ts';
import { checkTemporal } from './doctor/check-temporal.ts';
import { type Finding, hideSecrets } from './doctor/finding.ts';
import { withDemo } from './start/demo/demo-file.ts';

const variables = withDemo(process.env);
const findings = hideSecrets(await examine(), variables);
if (process.argv.includes('--json')) console.log(JSON.stringify({ findings }, null, 2));
else for (const line of findings.flatMap(format)) console.log(line);
process.exit(findings.some(({ level }) => level === 'fail') ? 1 : 0);

/** Runs independent checks in parallel, so that one timeout does not delay the others. */
async function examine(): Promise<Finding[]> {
  const { settings, findings } = checkSettings(variables);
  if (settings === null) return [checkNode(), ...findings];
  const examineDatabase = async () => {
    const { reachable, findings: databaseFindings } = await checkDatabase(settings);
    const dependent = [checkKeys(settings, reachable), reachable ? checkDestinations(settings) : []];
    const pooler = databaseFindings.length > 1 ? checkPooler(settings) : [];
    return [...databaseFindings, ...(await Promise.all([pooler, ...dependent])).flat()];
  };
  const results = await Promise.all([
    checkBuilt(),
    examineDatabase(),
    checkTemporal(settings.taskQueue, variables),
    checkMail(settings),
    checkImages(settings),
  ]);
  return [checkNode(), ...findings, ...results.flat()];
}

function format({ level, subject, message, advice }: Finding): string[] {
  const line = `${level.padEnd(6)}${subject.padEnd(14)}${message}`;
  return advice === undefined ? [line] : [line, `${' '.repeat(20)}→ ${advice}`];
}
