/** The kinds of mails about an account. A new kind needs a file and an entry here. */

import type { AccountMail, AccountMailFacts } from './account-mail.ts';
import { accountReplaced } from './account-replaced.ts';
import { confirmEmail } from './confirm-email.ts';
import { confirmSubscription } from './confirm-subscription.ts';
import { passwordChanged } from './password-changed.ts';
import { resetPassword } from './reset-password.ts';

export const ACCOUNT_MAILS = {
  confirm_email: confirmEmail,
  reset_password: resetPassword,
  password_changed: passwordChanged,
  account_replaced: accountReplaced,
  confirm_subscription: confirmSubscription,
} satisfies Record<string, (facts: AccountMailFacts) => AccountMail>;
