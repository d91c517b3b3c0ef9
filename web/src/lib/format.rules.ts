import { graphemesOf } from '@courtledger/contracts/kernel/graphemes';
import { kathmanduDay, kathmanduTime } from '@courtledger/contracts/kernel/days';
import { numberText, withMinus } from '@courtledger/contracts/kernel/minus';
import { dateInWords, fullDateInWords, weekdayInWords } from '@courtledger/contracts/kernel/page-head';
import { bikramSambat } from './bikram-sambat.rules.ts';
import { plainFigures } from './digits.rules.ts';

/** How numbers, money, dates and names are written (look, section 3). */

const rupees = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 2 });
const numeric = /^(?:\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.\d+)?$/;

/** Rupees as they are written before an amount in Nepal: `NPR`, `Rs.`, `NRs`, `रु.`, `रू`. */
const currency = /^(?:npr|n?rs|रु|रू)\.?\s*/i;
/** What closes an amount on a cheque or a notice, so that nobody adds to it: `50,000/-`. */
const closing = /\s*\/[-=]$/;

/**
 * The amount of a prize, also where it is written as Nepal writes it, with the currency, in groups or in Devanagari digits; undefined of other text. Blanks
 * stand where its commas could: `1 5` is no amount, as `1,5` is none.
 */
const amountOf = (prize: string | undefined): number | undefined => {
  // The currency goes first: beside letters figures keep the blanks that only look like the plain one.
  const figures = plainFigures((prize ?? '').trim().replace(currency, '')).replace(closing, '');
  const text = figures.replace(/(?<=\d) +(?=\d)/g, ',');
  return numeric.test(text) ? Number(text.replaceAll(',', '')) : undefined;
};

/** A prize as the wire has it (numeric text or other text): `NPR 8,75,000`, or the text itself, or 'TBD' when there is none. */
export const formatPrize = (prize: string | undefined): string => {
  const amount = amountOf(prize);
  if (amount !== undefined) return `NPR ${rupees.format(amount)}`;
  return prize?.trim() || 'TBD';
};

/** Lakh grouping without the currency: `8,75,000`. */
export const formatAmount = (amount: number): string => rupees.format(amount);

type Prizes = { readonly firstPrize?: string; readonly secondPrize?: string; readonly thirdPrize?: string; readonly mvp?: string };

/** First + second + third + MVP; entry fee excluded (specification section 9). Undefined when none of them is a number. */
export const prizeTotal = (prizes: Prizes): number | undefined => {
  const amounts = [prizes.firstPrize, prizes.secondPrize, prizes.thirdPrize, prizes.mvp].map(amountOf).filter((amount) => amount !== undefined);
  return amounts.length === 0 ? undefined : amounts.reduce((sum, amount) => sum + amount, 0);
};

/** A number with the real minus sign (U+2212). */
export const formatNumber = numberText;

/** A difference with its sign: `+93`, `−13`, `0`. */
export const formatDifference = (value: number): string => (value > 0 ? `+${String(value)}` : formatNumber(value));

/** A number of the standings, as the table and whoever explains it show it: a difference with its sign. */
export const formatStanding = (stat: string, value: number): string => (stat === 'difference' ? formatDifference(value) : formatNumber(value));

/** One decimal, always: `7.0`. */
export const formatAverage = (value: number): string => withMinus(value.toFixed(1));

/** Two scores join with an en dash: `112–98`. */
export const formatScore = (own: number, other: number): string => `${formatNumber(own)}–${formatNumber(other)}`;

/** The calendar day `YYYY-MM-DD` of a date on the wire (UTC midnight of that day); empty when there is none. */
export const dayOf = (wire: string | undefined): string => (wire && /^\d{4}-\d{2}-\d{2}/.test(wire) ? wire.slice(0, 10) : '');

const kathmandu = 'Asia/Kathmandu';
const dateFormat = (options: Intl.DateTimeFormatOptions): ((day: string) => string) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: kathmandu, ...options });
  return (day) => (day === '' ? '' : format.format(new Date(`${day}T06:00:00Z`)).replace(',', ''));
};
const dayAndMonth = dateFormat({ day: 'numeric', month: 'short' });
const longMonth = dateFormat({ day: 'numeric', month: 'long' });
const dayMonthAndYear = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' });
const month = dateFormat({ month: 'long', year: 'numeric' });

/** `12 December 2026` */
export const formatDate = (wire: string | undefined): string => dateInWords(wire);
/** `12 Dec` */
export const formatDayMonth = (wire: string | undefined): string => dayAndMonth(dayOf(wire));
/** `1 November` */
export const formatLongDayMonth = (wire: string | undefined): string => longMonth(dayOf(wire));
const isSameYear = (day: string, today: string): boolean => day.slice(0, 4) === today.slice(0, 4);

/** `12 Dec`; with the year when it is another one than today's, `12 Dec 2025` */
export const formatShortDate = (wire: string | undefined, now: number): string =>
  (isSameYear(dayOf(wire), kathmanduDay(now)) ? dayAndMonth : dayMonthAndYear)(dayOf(wire));

/** 'Registration opened 1 November', or 'opens' where that day is still to come; with the year when it is another one than today's. */
export const formatRegistrationStart = (wire: string, now: number): string => {
  const [start, today] = [dayOf(wire), kathmanduDay(now)];
  return `Registration ${start > today ? 'opens' : 'opened'} ${isSameYear(start, today) ? formatLongDayMonth(wire) : formatDate(wire)}`;
};
/** `Saturday` */
export const formatWeekday = (wire: string | undefined): string => weekdayInWords(wire);
/** `Saturday, 12 December 2026` */
export const formatFullDate = (wire: string | undefined): string => fullDateInWords(wire);
/** `December 2026`: the groups of the tournament list (specification section 2). */
export const formatMonthYear = (wire: string | undefined): string => month(dayOf(wire));
/** `26 Mangsir`, or empty where the calendar is not known. */
export const formatBsDayMonth = (wire: string | undefined): string => {
  const date = bikramSambat(dayOf(wire));
  return date ? `${String(date.day)} ${date.month}` : '';
};
/** `26 Mangsir 2083`, or empty. */
export const formatBsDate = (wire: string | undefined): string => {
  const date = bikramSambat(dayOf(wire));
  return date ? `${String(date.day)} ${date.month} ${String(date.year)}` : '';
};

const moment = { timeZone: kathmandu, day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const instant = new Intl.DateTimeFormat('en-GB', moment);
const instantOfYear = new Intl.DateTimeFormat('en-GB', { ...moment, year: 'numeric' });
/** An instant in Kathmandu: `21 Nov, 15:56`; with the year when it is another one than today's, `21 Nov 2025, 15:56` */
export const formatInstant = (at: string, now: number): string =>
  (isSameYear(kathmanduDay(Date.parse(at)), kathmanduDay(now)) ? instant : instantOfYear).format(new Date(at));

const exactInstant = new Intl.DateTimeFormat('en-GB', { ...moment, year: 'numeric', second: '2-digit' });
/** The same for an audit, where seasons and seconds matter: `21 Nov 2026, 15:56:12` */
export const formatExactInstant = (at: string): string => exactInstant.format(new Date(at));

/** `1 team`, `2 teams`, `−1 point`, `50,325 facts`: regular plurals only. */
export const formatCount = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${withMinus(count.toLocaleString('en-IN'))} ${Math.abs(count) === 1 ? noun : nouns}`;

/** When a match starts, as an instant; undefined without a time. `time` is a wall clock in Kathmandu. */
export const startInstant = (date: string, time: string): number | undefined => {
  const at = time === '' || dayOf(date) === '' ? Number.NaN : Date.parse(kathmanduTime(dayOf(date), time));
  return Number.isNaN(at) ? undefined : at;
};

/** 'Starts in 2 hours' for what is near, the date otherwise; a plain word once it should have begun. */
export const formatStart = (date: string, time: string, now: number): string => {
  const at = startInstant(date, time);
  if (at === undefined) return formatDate(date);
  const minutes = Math.round((at - now) / 60_000);
  if (minutes <= 0) return 'No statistics yet';
  if (minutes < 60) return `Starts in ${formatCount(minutes, 'minute')}`;
  if (minutes < 24 * 60) return `Starts in ${formatCount(Math.round(minutes / 60), 'hour')}`;
  // Days of the calendar, as people count them: two matches of one day are equally far.
  const days = (Date.parse(dayOf(date)) - Date.parse(kathmanduDay(now))) / 86_400_000;
  return `Starts in ${formatCount(days, 'day')}`;
};

const devanagari = /[\u0900-\u097F]/;

const firstGrapheme = (word: string): string => graphemesOf(word)[0] ?? '';

/** Two initials of a Latin name, the first grapheme of a Devanagari one; '?' of nothing. */
export const monogramOf = (name: string): string => {
  const words = name.normalize('NFC').trim().split(/\s+/).filter(Boolean);
  const letters = devanagari.test(words[0] ?? '') ? firstGrapheme(words[0] ?? '') : words.slice(0, 2).map(firstGrapheme).join('');
  return letters === '' ? '?' : letters.toLocaleUpperCase('en');
};

const grounds = ['#5A3326', '#3D2B52', '#1F4A45', '#24446B', '#5B3A12', '#57243A'] as const;

/** The ground of a monogram, the same for an id on every machine (look, section 5). */
export const monogramGround = (id: string): string => {
  let hash = 0;
  for (const letter of id) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 4_294_967_291;
  return grounds[hash % grounds.length] ?? grounds[0];
};

export type TextRun = { readonly text: string; readonly nepali: boolean };

/** Splits a text into runs of Devanagari and of everything else; spaces and digits between Devanagari words stay with them. */
export const scriptRuns = (text: string): readonly TextRun[] =>
  text
    .split(/([\u0900-\u097F\u200C\u200D](?:[\u0900-\u097F\u200C\u200D\s\-–,.()]*[\u0900-\u097F])?)/)
    .filter((run) => run !== '')
    .map((run) => ({ text: run, nepali: devanagari.test(run) }));
