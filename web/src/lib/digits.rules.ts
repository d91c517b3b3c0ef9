import { PHONE_DIGITS, SHORT_NUMBER_DIGITS } from '@courtledger/contracts/kernel/limits';

const devanagariZero = 0x0966;

/** Devanagari digits as what they mean; anything else stays. The server takes ASCII digits alone. */
export const asciiDigits = (typed: string): string =>
  typed.replace(/[\u0966-\u096F]/g, (digit) => String((digit.codePointAt(0) ?? devanagariZero) - devanagariZero));

/**
 * Figures without what an address book or a page puts into a number that is copied: marks of direction that nobody sees, and blanks and dashes that only look
 * like the plain ones. Words among them, such as those of a prize, are written with joiners and dashes of their own: there only the digits are others.
 */
export const plainFigures = (typed: string): string => {
  const digits = asciiDigits(typed);
  if (/\p{L}/u.test(digits)) return digits;
  return digits
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-');
};

/** The country's code before a number of Nepal, as an address book has it. */
const countryCode = /^(?:00)?977/;

/**
 * Only the digits of what was typed. Fields of digits have no `maxLength`: a browser would cut what is pasted before this has dropped its spaces and dashes.
 */
const digitsOf = (typed: string): string => asciiDigits(typed).replace(/\D/g, '');

/**
 * What a field for a phone keeps: ten digits at most. Where there are more, and the country's code stands before them, they are taken without it, pasted or
 * typed: cut behind its tenth digit the number would be somebody else's. Ten digits that begin like the code are a number.
 */
export const phoneDigits = (typed: string): string => {
  const digits = digitsOf(typed);
  return (digits.length > PHONE_DIGITS ? digits.replace(countryCode, '') : digits).slice(0, PHONE_DIGITS);
};

/** What a field for a jersey, an age, a height or a weight keeps: three digits at most. */
export const shortNumberDigits = (typed: string): string => digitsOf(typed).slice(0, SHORT_NUMBER_DIGITS);
