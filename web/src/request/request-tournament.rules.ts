import { CONTACT_PHONE_PATTERN } from '@courtledger/contracts/kernel/limits';
import { fieldTexts, requestMandatory } from '@courtledger/contracts/kernel/texts';
import { looksLikeEmail } from '../lib/email.rules.ts';

/** Rules of the tournament request form (specification section 5), under the wire names of its fields. */
export type RequestFields = {
  readonly tournamentName: string;
  readonly contactPhone1: string;
  readonly contactPhone2: string;
  readonly email: string;
  readonly organizerName: string;
  readonly location: string;
  readonly prizePool: string;
};

export const emptyRequest: RequestFields = {
  tournamentName: '',
  contactPhone1: '',
  contactPhone2: '',
  email: '',
  organizerName: '',
  location: '',
  prizePool: '',
};

/** Required, in the specification's order; the contract has the same list (a test compares them: importing it would bring the validator along). */
export const mandatoryFields = [
  'tournamentName',
  'contactPhone1',
  'contactPhone2',
  'organizerName',
  'location',
  'prizePool',
] as const satisfies readonly (keyof RequestFields)[];

export type RequestField = keyof RequestFields;

/** Whether there is anything to lose. */
export const isTyped = (request: RequestFields): boolean => Object.values(request).some((text) => text.trim() !== '');

/** Which mandatory fields are missing, in order. */
export const missingFields = (request: RequestFields): readonly RequestField[] => mandatoryFields.filter((field) => request[field].trim() === '');

/** `Please fill in all mandatory fields: contactPhone2, location` */
export const missingText = (fields: readonly string[]): string => requestMandatory(fields);

/** What is said of a request that was sent, as long as there is no word of it. */
export const unansweredText =
  'It is not known whether your request was submitted. Until it is, what you typed cannot be changed. Register Tournament asks again, and nothing is submitted twice. Another poster counts if nothing was submitted before.';

/** What stands under one missing field. */
export const missingFieldText = (field: string): string => fieldTexts.required.replace('{field}', field);

/** What is filled in but cannot be right, in the order of the form, in the server's words: it need not be asked. */
export const wrongFields = (request: RequestFields): readonly { readonly field: RequestField; readonly message: string }[] => [
  ...(['contactPhone1', 'contactPhone2'] as const)
    .filter((field) => !CONTACT_PHONE_PATTERN.test(request[field].trim()))
    .map((field) => ({ field, message: fieldTexts.contactPhone.replace('{field}', field) })),
  ...(request.email.trim() === '' || looksLikeEmail(request.email) ? [] : [{ field: 'email' as const, message: fieldTexts.email.replace('{field}', 'email') }]),
];
