import { z } from 'zod';
import { parseDay, parseMoment, parseTimeOfDay, type DayEdge } from './days.ts';
import type { FieldError } from './errors.ts';
import { parsePosition } from './event.ts';
import {
  CONTACT_PHONE_PATTERN,
  EMAIL_MAX,
  ENTRY_ID_MAX,
  INCREMENT_MAX,
  NAME_MAX,
  participations,
  PASSWORD_MAX,
  PASSWORD_MIN,
  PHONE_DIGITS,
  SHORT_NUMBER_DIGITS,
} from './limits.ts';
import { fieldTexts, requestMandatory } from './texts.ts';

/**
 * Fields of the wire, coming in (what goes out: `answers.ts`). Each says the specification's text, else a plain sentence. A text of ours carries a mark up to
 * `fieldErrors`, so that nothing that the validator words itself can reach a caller.
 */
const MARK = '\u0001';
const own = (text: string): string => MARK + text;

/** Wrong type: the field's own text, or 'is required' when there is no value and 'is not valid' when there is another. */
const typeError =
  (text: string) =>
  (issue: { readonly input?: unknown }): string =>
    own(text === fieldTexts.required && issue.input !== undefined && issue.input !== null ? fieldTexts.notValid : text);

type Refusals = { addIssue(issue: { code: 'custom'; message: string; input: unknown; continue: true }): void };
const refuse = (context: Refusals, input: unknown, text: string): never => {
  // `continue`: a wrong field must not keep a check across other fields from running.
  context.addIssue({ code: 'custom', message: own(text), input, continue: true });
  return z.NEVER;
};

const codePoints = (value: string): number => Array.from(value).length;
/** No character of NFC decomposes into more than four code points, of two code units each: a text beyond so many is beyond the limit in any form. */
const mostUnitsEach = 8;
/** Trimmed and in NFC, but for what is too long in any case: marks that stand in the wrong order take time that grows with the square of their number. */
const tidy =
  (max: number) =>
  (value: string): string => {
    const trimmed = value.trim();
    return trimmed.length > max * mostUnitsEach ? trimmed : trimmed.normalize('NFC');
  };
/**
 * Something that can be seen: not only spaces, joiners and other invisible marks, of which some count as letters (the Hangul fillers) or as a symbol (the blank
 * of Braille).
 */
const isVisible = (value: string): boolean => /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value);
/**
 * Control characters, and marks that turn the direction of the text after them, have no place in a name. Nor has the sign for what could not be read: a form's
 * bytes that are no UTF-8 have become it.
 */
// oxlint-disable-next-line no-control-regex -- the rule of this field is about control characters
const controls = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufffd]/u;
// oxlint-disable-next-line no-control-regex -- as above, but free text may have lines and tabs
const controlsButLines = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufffd]/u;

/**
 * Text: trimmed, NFC, counted in code points. `message` answers absence and shortness; `lines` allows line breaks.
 */
export const text = ({
  message = fieldTexts.required,
  min = 1,
  max = NAME_MAX,
  lines = false,
}: { message?: string; min?: number; max?: number; lines?: boolean } = {}) =>
  z
    .string({ error: typeError(message) })
    .overwrite(tidy(max))
    .refine((value) => codePoints(value) >= min && isVisible(value), { error: own(message) })
    .refine((value) => codePoints(value) <= max, { error: own(fieldTexts.tooLong(max)) })
    .refine((value) => value.isWellFormed() && !(lines ? controlsButLines : controls).test(value), { error: own(fieldTexts.notValid) });

/** Text that may be left out or empty: ''. So is text of which nothing can be seen. */
export const optionalText = ({ max = NAME_MAX, lines = false }: { max?: number; lines?: boolean } = {}) =>
  z
    .string({ error: own(fieldTexts.notValid) })
    .overwrite(tidy(max))
    .refine((value) => codePoints(value) <= max, { error: own(fieldTexts.tooLong(max)) })
    .refine((value) => value.isWellFormed() && !(lines ? controlsButLines : controls).test(value), { error: own(fieldTexts.notValid) })
    .nullish()
    .transform((value) => (value !== undefined && value !== null && isVisible(value) ? value : ''));

const pattern = (expression: RegExp, missing: string, wrong: string) =>
  z
    .string({ error: typeError(missing) })
    .overwrite((value) => value.trim())
    .refine((value) => value !== '', { error: own(missing) })
    .refine((value) => expression.test(value), { error: own(wrong) });

/** Exactly ten ASCII digits (team, coach, player). */
export const phone10 = (message: string) => pattern(new RegExp(`^[0-9]{${PHONE_DIGITS}}$`), message, message);

/** 7 to 20 of digits, `+`, `-` and space (organizer, admin, request). */
export const contactPhone = (message: string = fieldTexts.required) => pattern(CONTACT_PHONE_PATTERN, message, fieldTexts.contactPhone);

const emailPattern = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/;
const isEmail = (value: string): boolean => value.length <= EMAIL_MAX && emailPattern.test(value);
/** An e-mail address, in lower case. */
export const email = () =>
  z
    .string({ error: typeError(fieldTexts.required) })
    .overwrite((value) => value.trim().toLowerCase())
    .refine((value) => value !== '', { error: own(fieldTexts.required) })
    .refine(isEmail, { error: own(fieldTexts.email) });

/** An e-mail address that may be left out or empty: ''. */
export const optionalEmail = () =>
  z
    .string({ error: own(fieldTexts.email) })
    .overwrite((value) => value.trim().toLowerCase())
    .refine((value) => value === '' || isEmail(value), { error: own(fieldTexts.email) })
    .nullish()
    .transform((value) => value ?? '');

/** Half a surrogate pair is no character: whichever half it is, the hash would be that of the same bytes. */
const passwordFits = (value: string): boolean => value.isWellFormed() && codePoints(value) >= PASSWORD_MIN && codePoints(value) <= PASSWORD_MAX;
/** A new password, taken as it is: 8 to 128 code points. Common ones are refused by the server. */
export const password = () =>
  z
    .string({ error: typeError(fieldTexts.required) })
    .refine((value) => value !== '', { error: own(fieldTexts.required) })
    .refine(passwordFits, { error: own(fieldTexts.password) });

/** A password of an edit: absent, null or empty keeps the old one (undefined). */
export const changedPassword = () =>
  z
    .string({ error: own(fieldTexts.notValid) })
    .refine((value) => value === '' || passwordFits(value), { error: own(fieldTexts.password) })
    .nullish()
    .transform((value) => (value === '' || value === null ? undefined : value));

/** A credential at login: whatever is not a text of sensible length is simply wrong (''), so that every failure is the same 401. */
export const credential = () => z.string().max(1024).catch('');

/** A day: `YYYY-MM-DD` as it is, an ISO time or JavaScript date text as its calendar day in Asia/Kathmandu; out `YYYY-MM-DD`. */
export const day = (message: string = fieldTexts.required) =>
  z.string({ error: typeError(message) }).transform((value, context) => {
    const given = value.trim();
    if (given === '') return refuse(context, value, message);
    return parseDay(given) ?? refuse(context, value, fieldTexts.calendarDay);
  });

/** A time of day: `H:mm`, `HH:mm` or empty (null too); out `HH:mm` or ''. */
export const timeOfDay = () =>
  z
    .string({ error: own(fieldTexts.timeOfDay) })
    .nullable()
    .transform((value, context) => parseTimeOfDay((value ?? '').trim()) ?? refuse(context, value, fieldTexts.timeOfDay));

/** A time of day that may be left out: ''. */
export const optionalTimeOfDay = () =>
  z
    .string({ error: own(fieldTexts.timeOfDay) })
    .nullish()
    .transform((value, context) => parseTimeOfDay((value ?? '').trim()) ?? refuse(context, value, fieldTexts.timeOfDay));

const shortDigits = new RegExp(`^[0-9]{1,${SHORT_NUMBER_DIGITS}}$`);
const digitsText = (value: string | number): string | undefined => {
  const digits = String(value).trim();
  return shortDigits.test(digits) ? digits : undefined;
};
const textOrNumber = (message: string) => z.union([z.string(), z.number()], { error: typeError(message) });

/** Age, height, weight: one to three ASCII digits (or such a number in JSON); out a number, 0 allowed. */
export const shortNumber = (message: string) =>
  textOrNumber(message).transform((value, context) => {
    const digits = digitsText(value);
    return digits === undefined ? refuse(context, value, message) : Number(digits);
  });

/** A jersey number: one to three ASCII digits, kept as the exact text ('0' is not '00'). */
export const jerseyNumber = () =>
  textOrNumber(fieldTexts.jerseyNumber).transform((value, context) => digitsText(value) ?? refuse(context, value, fieldTexts.jerseyNumber));

/** An increment of a statistic, read as parseInt does: anything without a leading integer is 0, beyond ±999 is refused. */
export const increment = () =>
  z
    .unknown()
    .optional()
    .transform((value, context) => {
      const whole = typeof value === 'number' ? Math.trunc(value) : typeof value === 'string' ? Number.parseInt(value, 10) : 0;
      if (Math.abs(whole) > INCREMENT_MAX) return refuse(context, value, fieldTexts.increment);
      return Number.isNaN(whole) || whole === 0 ? 0 : whole;
    });

/** A status of participation as it comes in: '' when none was said. */
export const statusSaid = () =>
  z
    .enum(['', ...participations], { error: own(fieldTexts.participation) })
    .nullish()
    .transform((value) => value ?? '');

/** One of a list of words that callers know; refused with the list. */
export const oneOf = <const W extends readonly [string, ...string[]]>(words: W) =>
  z.enum(words, { error: (issue) => own(issue.input === undefined || issue.input === null ? fieldTexts.required : fieldTexts.oneOf(words)) });

/** An id in a body: any text; one that nothing has is 404 (or what the call says), whatever it looks like. */
export const id = (message: string = fieldTexts.required) =>
  z
    .string({ error: typeError(message) })
    .overwrite((value) => value.trim())
    .refine((value) => value !== '', { error: own(message) });

/** The id that a client made for a stat entry. */
export const entryId = () => pattern(new RegExp(`^[A-Za-z0-9_-]{1,${ENTRY_ID_MAX}}$`), fieldTexts.required, fieldTexts.notValid);

const truth = z.union([z.boolean(), z.string()], { error: own(fieldTexts.trueOrFalse) });
const readTruth = (value: string | boolean, context: Refusals): boolean => {
  const said = String(value).trim();
  return said === 'true' || said === 'false' ? said === 'true' : refuse(context, value, fieldTexts.trueOrFalse);
};
/** 'true' or 'false' (or the JSON values). */
export const trueOrFalse = () => truth.transform(readTruth);
/** The same, false when left out or empty. */
export const optionalTruth = () =>
  truth.nullish().transform((value, context) => (value === undefined || value === null || value === '' ? false : readTruth(value, context)));

/** A list; absent or null is empty. */
export const list = <T extends z.ZodType>(item: T, max: number) =>
  z
    .array(item, { error: own(fieldTexts.list) })
    .max(max, { error: own(fieldTexts.listTooLong(max)) })
    .nullish()
    .transform((value) => value ?? []);

/** A list of whatever; required. */
export const anyList = () => z.array(z.unknown(), { error: (issue) => own(issue.input === undefined ? fieldTexts.required : fieldTexts.list) });

const isGroup = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Bracketed parts `parent[child]`. Anything else under the parent's name (a plain text part) counts as nothing. */
export const group = <S extends z.ZodRawShape>(shape: S) => z.preprocess((value) => (isGroup(value) ? value : {}), z.object(shape));
/** The same in an edit: absent when no bracketed part was sent. */
export const optionalGroup = <S extends z.ZodRawShape>(shape: S) => z.preprocess((value) => (isGroup(value) ? value : undefined), z.object(shape).optional());

/** A point in the log's past: a position, or an instant as ISO text in UTC. */
export type AsOf = { readonly kind: 'position'; readonly position: bigint } | { readonly kind: 'time'; readonly time: string };
const pointOf = (edge: DayEdge) =>
  z.string({ error: own(fieldTexts.asOf) }).transform((value, context): AsOf => {
    const position = parsePosition(value);
    if (position !== undefined) return { kind: 'position', position };
    const instant = parseMoment(value, edge);
    return instant === undefined ? refuse(context, value, fieldTexts.asOf) : { kind: 'time', time: new Date(instant).toISOString() };
  });
/** Until when, inclusive: a plain day means its end in Asia/Kathmandu. */
export const asOf = () => pointOf('end');
/** From when on, inclusive: a plain day means its beginning in Asia/Kathmandu. With the same day as `asOf` that is the whole day. */
export const startingAt = () => pointOf('start');
const momentOf = (edge: DayEdge) =>
  z.string({ error: own(fieldTexts.notValid) }).transform((value, context): string => {
    const instant = parseMoment(value, edge);
    return instant === undefined ? refuse(context, value, fieldTexts.notValid) : new Date(instant).toISOString();
  });
/** The same two for times only; out ISO text in UTC. */
export const sinceMoment = () => momentOf('start');
export const untilMoment = () => momentOf('end');

/** A check over several fields of an object, told at `path`; it runs whenever none of `fields` is wrong by itself, so that all errors are told at once. */
export const across = <T>(fields: readonly string[], path: string, message: string, holds: (value: T) => boolean) =>
  z.refine<T>(holds, {
    path: [path],
    error: own(message),
    when: ({ value, issues }) =>
      typeof value === 'object' && value !== null && !issues.some((issue) => issue.path === undefined || fields.includes(String(issue.path[0]))),
  });

/** The wire name of a path: `organizer[name]`, `team1Players[0].points`. */
export const wireName = (path: readonly PropertyKey[]): string => {
  let name = '';
  let afterIndex = false;
  for (const key of path) {
    if (name === '') name = String(key);
    else if (afterIndex && typeof key !== 'number') name += `.${String(key)}`;
    else name += `[${String(key)}]`;
    afterIndex = typeof key === 'number';
  }
  return name;
};

/** Puts errors into the order of the specification; names that `order` does not hold come after, as they came. Lists count by their own name. */
export const inFieldOrder = (errors: readonly FieldError[], order: readonly string[]): FieldError[] => {
  const place = (path: string): number => {
    const exact = order.indexOf(path);
    if (exact >= 0) return exact;
    const root = order.indexOf(path.split('[', 1)[0] ?? path);
    return root >= 0 ? root : order.length;
  };
  return errors.toSorted((a, b) => place(a.path) - place(b.path));
};

/**
 * All that is wrong, by wire name, one text a field, in the specification's order (`Endpoint.fieldOrder`).
 * A text that is not ours becomes '{field} is required' when the value was absent, else '{field} is not valid'.
 */
export const fieldErrors = (error: z.ZodError, order: readonly string[]): FieldError[] => {
  const found = new Map<string, FieldError>();
  for (const issue of error.issues) {
    const path = wireName(issue.path);
    if (found.has(path)) continue;
    const absent = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
    const message = issue.message.startsWith(MARK) ? issue.message.slice(MARK.length) : absent ? fieldTexts.required : fieldTexts.notValid;
    found.set(path, { path, message });
  }
  const errors = inFieldOrder([...found.values()], order);
  const mandatory = errors.filter(({ message }) => message === fieldTexts.requestMandatory).map(({ path }) => path);
  return errors.map(({ path, message }) => ({
    path,
    message: message === fieldTexts.requestMandatory ? requestMandatory(mandatory) : message.replace('{field}', path === '' ? 'The request body' : path),
  }));
};
