/** What bodies that are on their way take, in memory or on the disk. */
export type BodyRoom = {
  /** False, and nothing taken, where there is not as much left. */
  take(address: string, bytes: number): boolean;
  giveBack(address: string, bytes: number): void;
};

/**
 * A bound for what all bodies of a kind take together, of which one address may have as much as it leaves to others: half of it while nobody else sends
 * anything, as the managers in a hall do who share one, and less the more others do. Whoever sends many, and each as slowly as may be, neither fills the server
 * nor keeps anybody else out, from however many addresses.
 * @param most bytes
 */
export const createBodyRoom = (most: number): BodyRoom => {
  let inUse = 0;
  const ofAddresses = new Map<string, number>();
  return {
    take(address, bytes) {
      const ofAddress = (ofAddresses.get(address) ?? 0) + bytes;
      if (ofAddress > most - inUse - bytes) return false;
      inUse += bytes;
      ofAddresses.set(address, ofAddress);
      return true;
    },
    giveBack(address, bytes) {
      inUse -= bytes;
      const ofAddress = (ofAddresses.get(address) ?? 0) - bytes;
      if (ofAddress > 0) ofAddresses.set(address, ofAddress);
      else ofAddresses.delete(address);
    },
  };
};

/**
 * Whether a body comes in so many and such small pieces that taking them apart costs a thousand times what sending them does: each is some hundred bytes of
 * memory, however short. No client does that.
 */
export const isCrumbled = (pieces: number, bytes: number): boolean => pieces > 1000 && bytes < pieces * 16;
