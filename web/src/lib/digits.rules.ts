import { PHONE_DIGITS } from '@courtledger/contracts/kernel/limits';

const devanagariZero = 0x0966;

/** Devanagari digits as what they mean; anything else stays. The server takes ASCII digits alone. */
export const asciiDigits = (typed: string): string => typed.replace(/[\u0966-\u096F]/g, (digit) => String((digit.codePointAt(0) ?? devanagariZero) - devanagariZero));

/**
 * Figures without what an address book or a page puts into a number that is copied: marks of direction that nobody sees, and blanks and dashes that only look like the plain ones.
 * Words among them, such as those of a prize, are written with joiners and dashes of their own: there only the digits are others.
 */
export const plainFigures = (typed: string): string => {
  const digits = asciiDigits(typed);
  if (/\p{L}/u.test(digits)) return digits;
  return digits
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-');
};

/** A number of Nepal as an address book has it: the country's code before its ten digits. */
const withCountryCode = new RegExp(`^(?:00)?977(?=\\d{${String(PHONE_DIGITS)}}$)`);

/**
 * Only the digits of what was typed, at most `max`; Devanagari digits count as what they mean. Fields of digits have no `maxLength`: a browser would cut what is pasted before this has dropped its spaces and dashes.
 * A phone that is pasted with the country's code is taken without it: cut behind its tenth digit it would be somebody else's.
 */
export const digitsOnly = (typed: string, max: number): string => {
  const digits = asciiDigits(typed).replace(/\D/g, '');
  return (max === PHONE_DIGITS ? digits.replace(withCountryCode, '') : digits).slice(0, max);
};
