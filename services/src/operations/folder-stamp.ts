/** A moment (milliseconds since 1970) as it stands in the name of a folder: `2026-11-21T06-25-30-000Z`. */
export const folderStamp = (moment: number): string => new Date(moment).toISOString().replaceAll(/[:.]/g, '-');

/** The moment in a stamp; NaN when it is none. */
export const momentOfStamp = (stamp: string): number => {
  const [, day, hours, minutes, seconds, rest] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)$/.exec(stamp) ?? [];
  return Date.parse(`${String(day)}T${String(hours)}:${String(minutes)}:${String(seconds)}.${String(rest)}`);
};
