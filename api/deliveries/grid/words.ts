/** What the ledger says, as the desk says it: the commands there are buttons here. */

const BUTTONS: Record<string, string> = {
  retryDelivery: '“Retry”',
  skipDelivery: '“Skip”',
  overwriteDelivery: '“Overwrite”',
  withdrawDelivery: '“Withdraw”',
  settleDelivery: '“I looked there”',
};

export function nameButtons(text: string): string {
  return text.replace(/\b(?:retry|skip|overwrite|withdraw|settle)Delivery\b/g, (name) => BUTTONS[name] ?? name);
}
