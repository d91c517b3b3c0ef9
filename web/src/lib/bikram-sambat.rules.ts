/** Bikram Sambat dates, for showing beside the common ones. */

/** Month names as they are written in Latin letters in Nepal. */
const bsMonths = ['Baisakh', 'Jestha', 'Asar', 'Shrawan', 'Bhadra', 'Ashwin', 'Kartik', 'Mangsir', 'Poush', 'Magh', 'Falgun', 'Chaitra'] as const;

export type BsDate = { readonly year: number; readonly month: (typeof bsMonths)[number]; readonly day: number };

const firstYear = 2080;
/** 1 Baisakh 2080 was 14 April 2023. */
const epochDay = Date.UTC(2023, 3, 14) / 86_400_000;

/**
 * Days of each month. 2080 to 2083 as published; the almanac of a year appears only months before it begins, so 2084 to 2090
 * repeat the year four before, as published years have done but for a day here and there.
 */
const monthLengths: readonly (readonly number[])[] = [
  /* 2080 */ [31, 32, 31, 32, 31, 30, 30, 30, 29, 29, 30, 30],
  /* 2081 */ [31, 32, 31, 32, 31, 30, 30, 30, 29, 30, 29, 31],
  /* 2082 */ [31, 31, 32, 31, 31, 31, 30, 29, 30, 29, 30, 30],
  /* 2083 */ [31, 31, 32, 31, 31, 31, 30, 29, 30, 29, 30, 30],
  /* 2084 */ [31, 32, 31, 32, 31, 30, 30, 30, 29, 29, 30, 30],
  /* 2085 */ [31, 32, 31, 32, 31, 30, 30, 30, 29, 30, 29, 31],
  /* 2086 */ [31, 31, 32, 31, 31, 31, 30, 29, 30, 29, 30, 30],
  /* 2087 */ [31, 31, 32, 31, 31, 31, 30, 29, 30, 29, 30, 30],
  /* 2088 */ [31, 32, 31, 32, 31, 30, 30, 30, 29, 29, 30, 30],
  /* 2089 */ [31, 32, 31, 32, 31, 30, 30, 30, 29, 30, 29, 31],
  /* 2090 */ [31, 31, 32, 31, 31, 31, 30, 29, 30, 29, 30, 30],
];

/** The Bikram Sambat date of a calendar day `YYYY-MM-DD`; undefined outside 2080 to 2090 and for a text that is no day. */
export const bikramSambat = (day: string): BsDate | undefined => {
  let left = Date.parse(`${day}T00:00:00Z`) / 86_400_000 - epochDay;
  if (!Number.isInteger(left) || left < 0) return undefined;
  for (const [yearIndex, months] of monthLengths.entries()) {
    for (const [monthIndex, length] of months.entries()) {
      const month = bsMonths[monthIndex];
      if (left < length && month) return { year: firstYear + yearIndex, month, day: left + 1 };
      left -= length;
    }
  }
  return undefined;
};
