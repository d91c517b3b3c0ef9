import { IMAGE_PIXELS } from './limits.ts';

/**
 * Every text that a person reads and that both sides know, to the letter of the specification (sections 5 and 8) where it has one.
 * `{field}` stands for the wire name and is filled in by `fieldErrors`.
 */
export const fieldTexts = {
  required: '{field} is required',
  notValid: '{field} is not valid',
  tooLong: (max: number): string => `{field} must be at most ${max} characters long`,
  calendarDay: '{field} must be a calendar date',
  timeOfDay: '{field} must be a time such as 14:30, or empty',
  contactPhone: '{field} must be 7 to 20 digits, spaces, + or -',
  email: '{field} must be a valid e-mail address',
  password: '{field} must be 8 to 128 characters long',
  increment: '{field} must be between -999 and 999',
  participation: "{field} must be 'played', 'Not Played' or 'DNP'",
  list: '{field} must be a list',
  listTooLong: (max: number): string => `{field} must have at most ${max} lines`,
  trueOrFalse: "{field} must be 'true' or 'false'",
  asOf: '{field} must be a time or a position',
  oneOf: (words: readonly string[]): string =>
    `{field} must be ${words
      .slice(0, -1)
      .map((word) => `'${word}'`)
      .join(', ')} or '${words.at(-1) ?? ''}'`,

  teamName: 'Team name must be at least 3 characters long',
  origin: 'Origin/Location is required',
  teamPrimaryNumber: 'Valid contact number is required',
  teamLogo: 'Team logo is required',
  /** The check asks for 7 characters; the message is the specification's. */
  coachName: 'Coach name must be at least 6 characters long',
  coachPhone: 'Valid primary phone number is required',
  coachSecondPhone: 'Valid secondary phone number is required',
  coachPhoto: 'Coach photo is required',
  playerName: 'Player name is required',
  jerseyNumber: 'Jersey number is required',
  jerseyNumberTaken: (jerseyNumber: string): string => `Jersey number ${jerseyNumber} is already used in this team`,
  playerContact: 'Valid contact number is required',
  age: 'Valid age is required',
  height: 'Valid height is required',
  weight: 'Valid weight is required',
  playerPhoto: 'Player photo is required',
  idDocument: 'ID document is required',
  smallImage: 'Max size: 2MB',
  /** The specification has a text for size only. */
  noPicture: 'Choose a JPEG or PNG picture',
  idDocumentRefused: 'ID document must be a pdf, jpg, jpeg or png',
  /** The specification has a text for the kind only; the API keeps to that one. */
  idDocumentTooLarge: 'ID document must be at most 5MB',
  imageTooDemanding: 'This image is too large to be progressive or interlaced: save it without that option, or smaller',
  imageTooManyPixels: `An image can have at most ${IMAGE_PIXELS / 1_000_000} million pixels`,
  largeImage: 'File must be an image (jpeg, jpg, png) and less than 25MB',
  endBeforeStart: 'End date must not be before start date',
  registrationAfterStart: 'Registration must not start after the tournament',
  assignMatch: 'Please select exactly two teams and a match date to assign a match.',
  /** `{fields}`: all of them that are missing; each carries the whole list. */
  requestMandatory: 'Please fill in all mandatory fields: {fields}',
  emptyEntry: 'A statistic or a status is required',
} as const;

/** What a file may be, said before one is chosen. */
export const fileHints = {
  smallImage: fieldTexts.smallImage,
  squareImage: `${fieldTexts.smallImage}. Square JPG or PNG preferred`,
  largeImage: 'jpeg, jpg or png, less than 25MB',
  idDocument: 'pdf, jpg, jpeg or png. Max size: 5MB',
} as const;

/** The one text for a tournament request with missing fields (specification section 5), by wire name and in its order. */
export const requestMandatory = (fields: readonly string[]): string => fieldTexts.requestMandatory.replace('{fields}', fields.join(', '));

/** What answers and screens say once something is done, or was not (specification section 8). */
export const outcomeTexts = {
  requestSent: 'Tournament registration submitted successfully!',
  requestFailed: 'An error occurred. Please try again.',
  playerAdded: 'Player added successfully!',
  playerNotAdded: 'Failed to add player. Please try again.',
  teamEntered: 'Team added successfully!',
  teamNotEntered: 'Failed to add team. Please try again.',
  teamSaved: 'Team details saved successfully!',
  teamNotSaved: 'Failed to save team details. Please try again.',
  coachSaved: 'Coach details saved successfully!',
  coachNotSaved: 'Failed to save coach details. Please try again.',
  internalError: 'Internal Server Error',
  invalidCredentials: 'Invalid Credentials',
  tokenCheckFailed: 'An error Occured',
  adminCreated: 'Admin Created Successfully',
  adminUpdated: 'Admin Updated Successfully',
  matchUpdated: 'Match updated successfully',
  matchNotUpdated: 'Match not updated successfully',
  noPlayersFound: 'No Players Found',
  playersFailed: 'An Error Occurred',
  tournamentCreated: 'Tournament created successfully',
  badRequest: 'Bad Request',
  notAuthorized: 'Not Authorized',
  tournamentUpdated: 'Tournament updated successfully',
  matchAssigned: 'Match added succesfully',
  matchNotAssigned: 'Something went wrong',
  matchCancelled: 'Match cancelled',
  /** A status is no entry, and cannot be taken back. */
  matchNotCancelled:
    "A match with statistics cannot be cancelled. Take its entries back, and set whoever is then still shown as played to 'Not Played' in Update Match.",
} as const;
