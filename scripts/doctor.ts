/**
 * `npm run doctor [-- --json]`: looks at the settings and at everything that they lead to, and says of each what is wrong, what that means and what
 * to do. It changes nothing and sends nothing; no secret is printed. Exit code: 1 where something fails, else 0. See docs/deployment.md.
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
import { withDemo } from './start/demo/with-demo.ts';

const variables = withDemo(process.env);
const findings = hideSecrets(await examine(), variables);
if (process.argv.includes('--json')) console.log(JSON.stringify({ findings }, null, 2));
else for (const line of findings.flatMap(lay)) console.log(line);
process.exit(findings.some(({ level }) => level === 'fail') ? 1 : 0);

/** What does not depend on another is asked at once: a server that does not answer costs its time-out, and no other waits for it. */
async function examine(): Promise<Finding[]> {
  const { settings, findings } = checkSettings(variables);
  if (settings === null) return [checkNode(), ...findings];
  const askDatabase = async () => {
    const { reachable, findings: ofDatabase } = await checkDatabase(settings);
    const behind = [checkKeys(settings, reachable), reachable ? checkDestinations(settings) : []];
    const pooler = ofDatabase.length > 1 ? checkPooler(settings) : [];
    return [...ofDatabase, ...(await Promise.all([pooler, ...behind])).flat()];
  };
  const answers = await Promise.all([
    checkBuilt(settings),
    askDatabase(),
    checkTemporal(settings.taskQueue, variables),
    checkMail(settings),
    checkImages(settings),
  ]);
  return [checkNode(), ...findings, ...answers.flat()];
}

function lay({ level, subject, says, next }: Finding): string[] {
  const line = `${level.padEnd(6)}${subject.padEnd(14)}${says}`;
  return next === undefined ? [line] : [line, `${' '.repeat(20)}→ ${next}`];
}
