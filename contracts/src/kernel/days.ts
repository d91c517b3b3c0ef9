/**
 * Calendar days and times of day as they travel (api-contract, 'Dates'). A day is `YYYY-MM-DD` in Asia/Kathmandu,
 * which has been at UTC+05:45 without summer time since 1986: one fixed offset is the whole calendar.
 */
export const KATHMANDU_OFFSET_MS = (5 * 60 + 45) * 60_000;
const DAY_MS = 86_400_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const plainDay = /^(\d{4})-(\d{2})-(\d{2})$/;
const isoTime = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?$/;
/** `Sun Nov 01 2026 00:00:00 GMT+0545 (Nepal Time)`, and its first four words alone. */
const dateText = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{1,2}) (\d{4})(?: (\d{2}):(\d{2}):(\d{2}) (?:GMT|UTC)(?:([+-])(\d{2}):?(\d{2}))?(?: \([^()]{0,60}\))?)?$/;
/** `Sat, 31 Oct 2026 18:15:00 GMT`. */
const utcText = /^[A-Z][a-z]{2}, (\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) (?:GMT|UTC)$/;

const number = (text: string | undefined): number => (text === undefined ? 0 : Number(text));
const two = (value: number): string => String(value).padStart(2, '0');

/** UTC milliseconds of a wall clock; undefined for a day or time that no calendar has. */
const wallClock = (year: number, month: number, day: number, hour = 0, minute = 0, second = 0, millisecond = 0): number | undefined => {
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return undefined;
  // Not `Date.UTC`, which takes the year 50 for 1950.
  const time = new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond;
  return new Date(time).getUTCDate() === day ? time : undefined;
};

/** Days of people and tournaments lie in the years 1900 to 2199; moments in the log's past may be asked for with any year. */
const inCalendar = (day: string): string | undefined => (day >= '1900' && day < '2200' ? day : undefined);
/** The last one whose ISO text has a year of four digits, and so sorts as text. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Minutes east of UTC of `+05:45`, `-0300`; undefined beyond 14 hours or 59 minutes. */
const offsetMinutes = (sign: string | undefined, hours: string | undefined, minutes: string | undefined): number | undefined => {
  if (number(minutes) > 59 || number(hours) > 14) return undefined;
  return (sign === '-' ? -1 : 1) * (number(hours) * 60 + number(minutes));
};

const shifted = (time: number | undefined, minutesEast: number | undefined): number | undefined =>
  time === undefined || minutesEast === undefined ? undefined : time - minutesEast * 60_000;

/** The calendar day in Asia/Kathmandu at an instant (milliseconds since 1970). */
export const kathmanduDay = (epochMs: number): string => {
  const local = new Date(epochMs + KATHMANDU_OFFSET_MS);
  return `${String(local.getUTCFullYear()).padStart(4, '0')}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`;
};

/** The instant of a wall clock in Asia/Kathmandu as an ISO time, of a day `YYYY-MM-DD` and a time `HH:mm` that exist; `24:00` is where the day ends. */
export const kathmanduTime = (day: string, time: string): string => `${day}T${time}:00+05:45`;

/** UTC midnight of a day, as it goes out: `2026-11-01T00:00:00.000Z`. */
export const dayToWire = (day: string): string => `${day}T00:00:00.000Z`;

/**
 * An instant in milliseconds from an ISO time or JavaScript date text; undefined when the text is neither.
 * A text without an offset is a wall clock in Asia/Kathmandu.
 */
export const parseInstant = (text: string): number | undefined => {
  const iso = isoTime.exec(text);
  if (iso) {
    const milliseconds = number((iso[7] ?? '').slice(0, 3).padEnd(3, '0'));
    const clock = wallClock(number(iso[1]), number(iso[2]), number(iso[3]), number(iso[4]), number(iso[5]), number(iso[6]), milliseconds);
    if (iso[8] === undefined && iso[9] === undefined) return clock === undefined ? undefined : clock - KATHMANDU_OFFSET_MS;
    return shifted(clock, offsetMinutes(iso[9], iso[10], iso[11]));
  }
  const words = dateText.exec(text);
  if (words) {
    const clock = wallClock(number(words[3]), MONTHS.indexOf(words[1] ?? '') + 1, number(words[2]), number(words[4]), number(words[5]), number(words[6]));
    if (words[4] === undefined) return clock === undefined ? undefined : clock - KATHMANDU_OFFSET_MS;
    return shifted(clock, offsetMinutes(words[7], words[8], words[9]));
  }
  const utc = utcText.exec(text);
  return utc ? wallClock(number(utc[3]), MONTHS.indexOf(utc[2] ?? '') + 1, number(utc[1]), number(utc[4]), number(utc[5]), number(utc[6])) : undefined;
};

/** The calendar day that a text means: `YYYY-MM-DD` as it is, else the day of that instant in Asia/Kathmandu; undefined when there is none. */
export const parseDay = (text: string): string | undefined => {
  const plain = plainDay.exec(text);
  if (plain) return wallClock(number(plain[1]), number(plain[2]), number(plain[3])) === undefined ? undefined : inCalendar(text);
  const instant = parseInstant(text);
  return instant === undefined ? undefined : inCalendar(kathmanduDay(instant));
};

/** `HH:mm` from `H:mm` or `HH:mm`, empty from empty; undefined for anything else. */
export const parseTimeOfDay = (text: string): string | undefined => {
  if (text === '') return '';
  const parts = /^(\d{1,2}):(\d{2})$/.exec(text);
  if (!parts || number(parts[1]) > 23 || number(parts[2]) > 59) return undefined;
  return `${two(number(parts[1]))}:${two(number(parts[2]))}`;
};

/** Where a day that stands for a moment is cut. */
export type DayEdge = 'start' | 'end';
/**
 * A moment (milliseconds since 1970) from an ISO time, or from a day alone: its first or its last millisecond in Asia/Kathmandu. Undefined for anything else:
 * the other forms of dates, which bodies may have, are ambiguous here. Any year will do: what lies ahead means now (api-contract, 'Beyond the specification').
 */
export const parseMoment = (text: string, edge: DayEdge): number | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const day = plainDay.exec(text);
  const clock = day === null ? parseInstant(text) : wallClock(number(day[1]), number(day[2]), number(day[3]));
  if (clock === undefined) return undefined;
  return Math.min(day === null ? clock : clock - KATHMANDU_OFFSET_MS + (edge === 'start' ? 0 : DAY_MS - 1), LAST_MOMENT);
};
