/** The kinds of mails about an account. A new kind needs a file and an entry here. */
import { accountReplaced } from './account-replaced.ts';
import { confirmEmail } from './confirm-email.ts';
import { confirmSubscription } from './confirm-subscription.ts';
import type { Letter, LetterFacts } from './letter.ts';
import { passwordChanged } from './password-changed.ts';
import { resetPassword } from './reset-password.ts';

export const LETTERS = {
  confirm_email: confirmEmail,
  reset_password: resetPassword,
  password_changed: passwordChanged,
  account_replaced: accountReplaced,
  confirm_subscription: confirmSubscription,
} satisfies Record<string, (facts: LetterFacts) => Letter>;
