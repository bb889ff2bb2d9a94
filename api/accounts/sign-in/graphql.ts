/** GraphQL mutations for registration, address confirmation and passwords. */
import { describeClient } from '../../auth/open-session.ts';
import { getSession } from '../../auth/session-hook.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder, returnTrueAfter } from '../../graphql/builder.ts';
import { confirmEmail, requestPasswordReset, resendConfirmation, resetPassword } from '../links/links.ts';
import { changePassword } from '../password/settings.ts';
import { Session } from '../sessions/graphql.ts';
import { register } from './register.ts';

builder.mutationFields((t) => ({
  register: t.field({
    type: Session,
    skipTypeScopes: true,
    description:
      'Creates an account, mails a link that confirms its address, and opens a session. Errors: BAD_INPUT, WEAK_PASSWORD, USERNAME_TAKEN, EMAIL_TAKEN, RATE_LIMITED.',
    args: {
      username: t.arg.string({
        required: true,
        description:
          '2 to 39 letters a to z and digits, with single - or _ between them. Must not look like an existing user name.',
      }),
      name: t.arg.string({ required: true, description: 'The name that readers see, of at most 80 characters.' }),
      email: t.arg.string({ required: true, description: 'The address for mails.' }),
      password: t.arg.string({ required: true, description: '8 to 1024 characters, not a common password.' }),
    },
    resolve: (_root, args, { deps, request }) => register(deps, describeClient(request), args),
  }),
  confirmEmail: t.boolean({
    skipTypeScopes: true,
    description: 'Confirms an address with the token of the link in our mail. Errors: LINK_INVALID.',
    args: { token: t.arg.string({ required: true, description: 'The value after `token=` in the link.' }) },
    resolve: returnTrueAfter(({ token }, { deps }) => confirmEmail(deps, token)),
  }),
  resendConfirmation: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description:
      'Mails the link that confirms the address again. Returns false if the address is already confirmed. Errors: RATE_LIMITED.',
    resolve: (_root, _args, { deps, request }) =>
      resendConfirmation(deps, describeClient(request), getSession(request).userId),
  }),
  changePassword: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description:
      'Sets a new password and ends the other sessions. Returns true if there were any. Errors: WRONG_PASSWORD, WEAK_PASSWORD, RATE_LIMITED.',
    args: {
      currentPassword: t.arg.string({ required: true, description: 'The current password.' }),
      newPassword: t.arg.string({ required: true, description: '8 to 1024 characters, not a common password.' }),
    },
    resolve: async (_root, args, { deps, request }) =>
      (await changePassword(deps, describeClient(request), getSession(request), args)) > 0,
  }),
  requestPasswordReset: t.boolean({
    skipTypeScopes: true,
    description:
      'Mails a link that sets a new password if the address has an account. The response is the same if it has none. Errors: BAD_INPUT, RATE_LIMITED.',
    args: { email: t.arg.string({ required: true, description: 'The e-mail address, in any letter case.' }) },
    resolve: returnTrueAfter(({ email }, { deps, request }) =>
      requestPasswordReset(deps, describeClient(request), email),
    ),
  }),
  resetPassword: t.boolean({
    skipTypeScopes: true,
    description:
      'Sets a new password with the token of the link in our mail, ends all sessions and revokes developer tokens. If the address was never confirmed, this deletes everything in the account and assigns a new id. Errors: LINK_INVALID, WEAK_PASSWORD.',
    args: {
      token: t.arg.string({ required: true, description: 'The value after `token=` in the link.' }),
      password: t.arg.string({ required: true, description: '8 to 1024 characters, not a common password.' }),
      keepDeveloperTokens: t.arg.boolean({
        required: false,
        defaultValue: false,
        description: 'Whether developer tokens stay valid. Ignored if the address was never confirmed.',
      }),
    },
    resolve: returnTrueAfter(({ token, password, keepDeveloperTokens }, { deps }) =>
      resetPassword(deps, token, { password, keepDeveloperTokens: keepDeveloperTokens ?? false }),
    ),
  }),
}));
