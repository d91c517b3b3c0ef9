const devanagariZero = 0x0966;

/** Devanagari digits as what they mean; anything else stays. The server takes ASCII digits alone. */
export const asciiDigits = (typed: string): string => typed.replace(/[\u0966-\u096F]/g, (digit) => String((digit.codePointAt(0) ?? devanagariZero) - devanagariZero));

/** Only the digits of what was typed, at most `max`; Devanagari digits count as what they mean. Fields of digits have no `maxLength`: a browser would cut what is pasted before this has dropped its spaces and dashes. */
export const digitsOnly = (typed: string, max: number): string => asciiDigits(typed).replace(/\D/g, '').slice(0, max);
