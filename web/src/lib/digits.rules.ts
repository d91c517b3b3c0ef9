const devanagariZero = 0x0966;

/** Only the digits of what was typed, at most `max`; Devanagari digits count as what they mean. Fields of digits have no `maxLength`: a browser would cut what is pasted before this has dropped its spaces and dashes. */
export const digitsOnly = (typed: string, max: number): string =>
  typed
    .replace(/[\u0966-\u096F]/g, (digit) => String((digit.codePointAt(0) ?? devanagariZero) - devanagariZero))
    .replace(/\D/g, '')
    .slice(0, max);
