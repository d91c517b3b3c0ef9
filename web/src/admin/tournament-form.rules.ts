import { LARGE_IMAGE_BYTES } from '@courtledger/contracts/kernel/limits';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import type { AdminTournament } from '@courtledger/contracts/tournament/tournament.answers';
import { dayOf } from '../lib/format.rules.ts';

/** Rules of the create and edit forms of a tournament (specification section 5), under the wire names of their parts. */
export const tournamentParts = [
  'name',
  'startDate',
  'endDate',
  'location',
  'registeringStartDate',
  'organizer[name]',
  'organizer[phoneNumber]',
  'prizePool[firstPrize]',
  'prizePool[secondPrize]',
  'prizePool[thirdPrize]',
  'prizePool[entryFee]',
  'prizePool[mvp]',
  'registerable',
  'league',
  'eventName',
  'featured',
] as const;
export type TournamentPart = (typeof tournamentParts)[number];
export type TournamentForm = Readonly<Record<TournamentPart, string>>;

const optionalParts: ReadonlySet<TournamentPart> = new Set(['eventName', 'featured']);

export const emptyTournament: TournamentForm = {
  name: '',
  startDate: '',
  endDate: '',
  location: '',
  registeringStartDate: '',
  'organizer[name]': '',
  'organizer[phoneNumber]': '',
  'prizePool[firstPrize]': '',
  'prizePool[secondPrize]': '',
  'prizePool[thirdPrize]': '',
  'prizePool[entryFee]': '',
  'prizePool[mvp]': '',
  registerable: 'true',
  league: 'true',
  eventName: '',
  featured: 'false',
};

/** A tournament as the edit form begins with it. */
export const formOf = (tournament: AdminTournament): TournamentForm => ({
  name: tournament.name,
  startDate: dayOf(tournament.startDate),
  endDate: dayOf(tournament.endDate),
  location: tournament.location,
  registeringStartDate: dayOf(tournament.registeringStartDate),
  'organizer[name]': tournament.organizer.name,
  'organizer[phoneNumber]': tournament.organizer.phoneNumber,
  'prizePool[firstPrize]': tournament.prizePool.firstPrize,
  'prizePool[secondPrize]': tournament.prizePool.secondPrize,
  'prizePool[thirdPrize]': tournament.prizePool.thirdPrize,
  'prizePool[entryFee]': tournament.prizePool.entryFee,
  'prizePool[mvp]': tournament.prizePool.mvp,
  registerable: tournament.registerable,
  league: tournament.league,
  eventName: tournament.eventName,
  featured: String(tournament.featured),
});

/** The images of a tournament, in the order of the form. */
export const tournamentImages = ['posterImage', 'organizerImage'] as const;
export type TournamentImages = { readonly posterImage?: File | undefined; readonly organizerImage?: File | undefined };

/**
 * A part as it is sent. Registration is open for the word 'true' alone, and any other text is shown on its button: a phone that begins a line with a capital
 * letter is not to close it.
 */
const sentText = (form: TournamentForm, part: TournamentPart): string => {
  const text = form[part].trim();
  return part === 'registerable' && text.toLowerCase() === 'true' ? 'true' : text;
};

/** The parts of an edit that differ, as they stand and as they are sent: only they are sent, new images too. */
export const changedParts = (before: TournamentForm, after: TournamentForm): readonly TournamentPart[] =>
  tournamentParts.filter((part) => ![after[part].trim(), sentText(after, part)].includes(before[part].trim()));

/** A multipart body of these parts and images. */
export const bodyOf = (form: TournamentForm, parts: readonly TournamentPart[], images: TournamentImages): FormData => {
  const body = new FormData();
  for (const part of parts) body.append(part, sentText(form, part));
  if (images.posterImage) body.append('posterImage', images.posterImage, images.posterImage.name);
  if (images.organizerImage) body.append('organizerImage', images.organizerImage, images.organizerImage.name);
  return body;
};

/** What a creation lacks: every field and both images are required. */
export const missingParts = (form: TournamentForm, images: TournamentImages): readonly string[] => [
  ...tournamentParts.filter((part) => !optionalParts.has(part) && form[part].trim() === ''),
  ...tournamentImages.filter((image) => images[image] === undefined),
];

/** Texts of an edit that were emptied: a part that is present but empty is refused. */
export const emptiedParts = (form: TournamentForm, changed: readonly TournamentPart[]): readonly string[] => changed.filter((part) => form[part].trim() === '');

export const missingPartText = (part: string): string => fieldTexts.required.replace('{field}', part);

/** What calls itself jpeg, jpg or png, of at most 25 MB (specification section 5). */
export const isTournamentImage = (file: Pick<File, 'type' | 'size'>): boolean =>
  (file.type === 'image/jpeg' || file.type === 'image/png') && file.size <= LARGE_IMAGE_BYTES;
