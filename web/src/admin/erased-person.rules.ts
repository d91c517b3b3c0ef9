import type { AdminPlayer } from '@courtledger/contracts/player/player.answers';
import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import { formerNames } from '@courtledger/contracts/player/former-names';

type Named = { readonly name: string };

/**
 * A player where an admin has to tell one from another: those of one name, as all who are erased, are told by the jersey number of now as well, in the words of
 * the audit.
 * @param among everybody who is listed there
 */
export const playerNamed = ({ name, jerseyNumber }: Named & { readonly jerseyNumber: string }, among: readonly Named[] = []): string =>
  jerseyNumber !== '' && (name === formerNames.player || among.filter((one) => one.name === name).length > 1) ? `${name} (number ${jerseyNumber})` : name;

/** Whoever plays has a contact number of ten digits, until the details are erased; the name could be anybody's. */
export const isErasedPlayer = ({ mobileNumber }: Pick<AdminPlayer, 'mobileNumber'>): boolean => mobileNumber === '';

/** The persons of a team whose details its form shows. */
export type TeamPerson = 'coach' | 'contact';

/** Whose details were erased, by the number that each of them has until then. A team without a coach has nobody to erase. */
export const erasedOfTeam = ({ coach, team_details: { teamPrimaryNumber } }: Pick<TeamAnswer, 'coach' | 'team_details'>): readonly TeamPerson[] => [
  ...(coach.name !== undefined && coach.phone_number === '' ? (['coach'] as const) : []),
  ...(teamPrimaryNumber === '' ? (['contact'] as const) : []),
];

/** Why a dialog about somebody has nothing to show any more. */
export const goneTexts = {
  erased: 'The details of this person were erased meanwhile.',
  playerExpired: "The registration of this player's team expired meanwhile.",
  teamExpired: 'The registration of this team expired meanwhile.',
} as const;
