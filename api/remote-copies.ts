/** What becomes of a remote copy when its article is taken back, in the author's words. */
import { destinationFor } from '../destinations/registry.ts';
import type { Limits } from '../destinations/types.ts';
import type { Copy } from '../store/deliveries/list.ts';

const FATE: Record<Exclude<Limits['withdraw'], 'none'>, string> = {
  deleted: 'is being deleted there.',
  unpublished: 'is being unpublished there.',
  delisted: 'is being taken out of the lists there; who has its address still reads it.',
};

/** `isWithdrawn`: readers no longer find it by themselves, once the delivery has done it. */
export function describeCopy({ destination, platform, remoteUrl, isConnected }: Copy): {
  isWithdrawn: boolean;
  message: string;
} {
  const adapter = destinationFor(platform ?? '');
  const copy = `The copy at ${remoteUrl}`;
  if (!isConnected || !adapter) {
    const message = `${copy} stays live: ${destination} is not connected. Remove it there, or connect it and publish again.`;
    return { isWithdrawn: false, message };
  }
  const { withdraw } = adapter.limits;
  if (withdraw === 'none') {
    return {
      isWithdrawn: false,
      message: `${copy} stays live: ${adapter.label} cannot take a post back. Remove it there.`,
    };
  }
  return { isWithdrawn: true, message: `${copy} ${FATE[withdraw]}` };
}
