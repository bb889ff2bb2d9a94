/** Reads e-mail addresses that people enter. */
import { isMailAddress } from '../../mail/smtp/address.ts';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';

/** Returns the address as it is stored. Throws BAD_INPUT. */
export function readEmail(text: string): string {
  const email = text.trim().normalize('NFC');
  if (isMailAddress(email)) return email;
  throw new RefusedCommandError('BAD_INPUT', 'This is not an e-mail address. Example: name@example.org.', 'email');
}
