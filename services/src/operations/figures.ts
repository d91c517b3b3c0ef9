/** Figures as people read them at a terminal. */

/** `1,234`. */
export const amountText = (count: number): string => count.toLocaleString('en-US');

/** `1 event`, `1,234 events`. */
export const countedText = (count: number, noun: string): string => `${amountText(count)} ${count === 1 ? noun : `${noun}s`}`;

/** `7.4 s`, `48 s`, `2 min 5 s`, `3 h 10 min`; from two days on `5 d 2 h`. */
export const secondsText = (seconds: number): string => {
  // Rounded before it is split: there is no "1 min 60 s".
  const whole = Math.round(seconds);
  if (whole < 60) return `${seconds < 9.95 ? seconds.toFixed(1) : String(whole)} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${String(minutes)} min ${String(whole % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${String(hours)} h ${String(minutes % 60)} min` : `${amountText(Math.floor(hours / 24))} d ${String(hours % 24)} h`;
};

/** A bar of 30 characters for a part from 0 to 1. */
export const barText = (part: number): string => {
  const full = Math.round(Math.min(1, Math.max(0, part)) * 30);
  return `[${'#'.repeat(full)}${'.'.repeat(30 - full)}]`;
};

/** How long ago something was. What was dated by a clock that ran ahead is no news: it says so. */
export const ageText = (instant: string, now: string): string => {
  const seconds = (Date.parse(now) - Date.parse(instant)) / 1000;
  return seconds < -1 ? `dated ${instant}, ahead of this machine's clock` : `${secondsText(Math.max(0, seconds))} ago`;
};
