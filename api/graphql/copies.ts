/** An article's remote copies, as their author reads of them when it is taken back. */
import { findFormat } from '../../destinations/format/platform-formats.ts';
import { describeWithdrawal } from '../../destinations/posts/copy-fate.ts';
import type { RemoteCopy } from '../../store/deliveries/copies.ts';

export const COPY_TYPE = `
  "A remote copy that was live, or may have been there, when the article was taken back."
  type RemoteCopy {
    destination: Destination!
    "Empty where it is not known."
    url: String!
    "What the account is called at which it stands; null where it was never asked."
    account: String
    "False where it stays live: the platform cannot take it back, or its account is not connected."
    isWithdrawn: Boolean!
    "True where the outcome of the attempt to make it is not known: it may be there, or not."
    isUncertain: Boolean!
    "What happens to it, and what remains to be done."
    message: String!
  }
`;

export function describeCopy(copy: RemoteCopy) {
  const { destination, connection, account, url, isUncertain } = copy;
  const fate = describeWithdrawal(copy, connection && findFormat(connection.platform));
  return { destination, url: url ?? '', account, isUncertain, ...fate };
}
