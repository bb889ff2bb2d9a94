/** Replaces the names of GraphQL commands in stored messages by those of the desk's buttons. */

const BUTTONS: Record<string, string> = {
  retryDelivery: '“Retry”',
  skipDelivery: '“Skip”',
  overwriteDelivery: '“Overwrite”',
  withdrawDelivery: '“Withdraw”',
  settleDelivery: '“Resolve”',
};

export function replaceCommandsByButtons(text: string): string {
  return text.replace(/\b(?:retry|skip|overwrite|withdraw|settle)Delivery\b/g, (name) => BUTTONS[name] ?? name);
}
