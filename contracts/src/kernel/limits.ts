/**
 * Business constants and limits (specification sections 5 and 9; api-contract, 'Files').
 * Plain values that need no package, so that pages may import them without a validator.
 */

/** A team needs this many players before its registration can be completed. */
export const PLAYERS_TO_COMPLETE = 4;
/** The 31st player of a registration is refused; an admin may add more. */
export const MAX_PLAYERS_REGISTRATION = 30;

export const PHONE_DIGITS = 10;
const CONTACT_PHONE_MIN = 7;
const CONTACT_PHONE_MAX = 20;
/** Digits, `+`, `-` and space, at least one of them a digit. */
export const CONTACT_PHONE_PATTERN = new RegExp(`^(?=.*[0-9])[0-9+\\- ]{${CONTACT_PHONE_MIN},${CONTACT_PHONE_MAX}}$`);
/** Age, height, weight and jersey number have at most this many digits. */
export const SHORT_NUMBER_DIGITS = 3;
export const TEAM_NAME_MIN = 3;
/** The actual check; the message says 6 (specification section 5). */
export const COACH_NAME_MIN = 7;

/** Longest texts, in code points. */
export const NAME_MAX = 120;
export const LABEL_MAX = 60;
export const FREE_TEXT_MAX = 2000;
/** Longest name of a preview that a correction may say. */
export const PREVIEWED_MAX = 100;
export const REASON_MAX = 500;
export const EMAIL_MAX = 254;
export const ENTRY_ID_MAX = 64;

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

/** What somebody did in a match, as it is said and stored. */
export const participations = ['played', 'Not Played', 'DNP'] as const;
/** One line of statistics adds at most this much, either way. */
export const INCREMENT_MAX = 999;
/** Lines of one team in one update: far beyond any roster, a bound on the size of one append. */
export const STAT_LINES_MAX = 200;
/** Rows of each list of leaders. */
export const LEADERS = 10;

/** Inclusive sizes in bytes: 2 MB, 25 MB and 5 MB in the binary sense. */
export const SMALL_IMAGE_BYTES = 2_097_152;
export const LARGE_IMAGE_BYTES = 26_214_400;
export const DOCUMENT_BYTES = 5_242_880;
/** 40 million pixels: the photos of most phones, no decompression bomb. */
export const IMAGE_PIXELS = 40_000_000;
/** Longest edge that is kept of an image, in pixels. */
export const SMALL_IMAGE_EDGE = 1024;
export const LARGE_IMAGE_EDGE = 2400;

/** Lifetime of a login token, in milliseconds. */
export const TOKEN_LIFETIME_MS = 3_600_000;
/** Lifetime of a registration capability, in milliseconds. */
export const REGISTRATION_LIFETIME_MS = 86_400_000;

/** Letters of a name or an id that auditors and operators ask for. */
export const ASKED_MAX = 200;
