/** `courant logout`: removes the credentials on this machine. The token itself stays valid until it is revoked. */
import type { CliContext } from '../context.ts';
import { clearCredentials, getCredentialsPath } from '../credentials/credentials-file.ts';

export async function logout({ config, terminal }: CliContext): Promise<void> {
  const path = terminal.outPaint.plain(getCredentialsPath(config));
  if (await clearCredentials(config)) {
    terminal.out(`Removed the stored credentials (${path}).`);
    terminal.note('A developer token stays valid until you revoke it on the settings page.');
  } else {
    terminal.out(`Nothing was stored (${path}).`);
  }
  if (config.serviceToken !== undefined) terminal.note('SERVICE_TOKEN is still set in this environment.');
}
