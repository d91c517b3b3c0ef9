/** What bodies that are on their way take, in memory or on the disk. */
export type BodyRoom = {
  /** False, and nothing taken, where there is not as much left. */
  take(address: string, bytes: number): boolean;
  giveBack(address: string, bytes: number): void;
};

/** So many addresses have to do it together before nothing is left for others. */
const shares = 4;

/**
 * A bound for what all bodies of a kind take together, of which one address has a quarter at most: whoever sends many, and each as slowly as may be, neither fills the server nor keeps everybody else out.
 * @param most bytes
 */
export const createBodyRoom = (most: number): BodyRoom => {
  let inUse = 0;
  const ofAddresses = new Map<string, number>();
  return {
    take(address, bytes) {
      const ofAddress = (ofAddresses.get(address) ?? 0) + bytes;
      if (inUse + bytes > most || ofAddress > most / shares) return false;
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
