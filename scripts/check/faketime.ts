/**
 * Finds or installs `libfaketime`, which changes the clock of a process in tests. Returns its path,
 * or the reason why those tests are skipped.
 */
import { globSync } from 'node:fs';
import { describeError, StartError } from '../start/start-error.ts';
import type { ProgramSearch } from '../start/temporal/obtain.ts';
import { installPackages } from './install-debian-packages.ts';

/** Never fails. `FAKETIME_LIBRARY` overrides the path. */
export async function provideFaketime(search: ProgramSearch): Promise<NodeJS.ProcessEnv> {
  try {
    return { FAKETIME_LIBRARY: search.env.FAKETIME_LIBRARY || find() || (await install(search)) };
  } catch (error) {
    const reason = `There is no libfaketime (${describeError(error)}). Install it ("apt-get install libfaketime" as root), or name it in FAKETIME_LIBRARY.`;
    if (!search.aborted?.aborted) search.announce(`${reason} The tests with another clock are skipped.`);
    return { FAKETIME_ABSENT: reason };
  }
}

function find(): string | undefined {
  return globSync('/usr/lib/*/faketime/libfaketime.so.1').at(0);
}

async function install(search: ProgramSearch): Promise<string> {
  search.announce('libfaketime: installing Debian’s package (once)');
  await installPackages(['libfaketime'], search);
  const installed = find();
  if (installed === undefined) throw new StartError('the package does not contain it');
  return installed;
}
