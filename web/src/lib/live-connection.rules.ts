/**
 * How long to wait, in milliseconds, after so many failed attempts in a row (the first is 1): a line that comes back soon is taken up within about a second;
 * a server that stays away is asked ever less often.
 * @param random 0 to 1: browsers that lost their lines at the same moment must not come back at the same moment
 */
export const pauseBefore = (failures: number, random: number): number => {
  const longest = failures <= 1 ? 250 : failures === 2 ? 500 : failures <= 12 ? 1000 : failures <= 24 ? 2000 : 5000;
  return longest * (0.5 + random / 2);
};
