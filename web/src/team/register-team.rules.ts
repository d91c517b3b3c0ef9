import {
  COACH_NAME_MIN,
  PHONE_DIGITS,
  PLAYERS_TO_COMPLETE,
  REGISTRATION_LIFETIME_MS,
  SHORT_NUMBER_DIGITS,
  TEAM_NAME_MIN,
} from '@courtledger/contracts/kernel/limits';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import type { RosterPlayer } from '@courtledger/contracts/match/match.answers';
import { formatCount } from '../lib/format.rules.ts';

/** Rules of the registration wizard (specification sections 4 and 5), under the wire names of the fields. */

export type TeamFields = { readonly name: string; readonly origin: string; readonly teamPrimaryNumber: string };
export type CoachFields = { readonly coachname: string; readonly coachphoneNumber: string; readonly contact_number_2: string };
export type PlayerFields = {
  readonly name: string;
  readonly jerseyNumber: string;
  readonly mobileNumber: string;
  readonly age: string;
  readonly height: string;
  readonly weight: string;
};
/** Whether each file of a step was chosen. */
export type Chosen<K extends string> = Readonly<Record<K, boolean>>;

export const emptyTeam: TeamFields = { name: '', origin: '', teamPrimaryNumber: '' };
export const emptyCoach: CoachFields = { coachname: '', coachphoneNumber: '', contact_number_2: '' };
export const emptyPlayer: PlayerFields = { name: '', jerseyNumber: '', mobileNumber: '', age: '', height: '', weight: '' };

/** A field that is wrong, in the order of the specification. */
export type Fault = { readonly field: string; readonly message: string };

/**
 * As the server counts them: it composes a letter and its marks, and takes apart what Unicode does not compose, such as the Devanagari letters with a nukta.
 */
const letters = (text: string): number => Array.from(text.trim().normalize('NFC')).length;
const isPhone = (text: string): boolean => new RegExp(`^\\d{${String(PHONE_DIGITS)}}$`).test(text);
const isShortNumber = (text: string): boolean => new RegExp(`^\\d{1,${String(SHORT_NUMBER_DIGITS)}}$`).test(text);

type Check = readonly [field: string, holds: boolean, message: string];
const faultsOf = (checks: readonly Check[]): readonly Fault[] => checks.filter(([, holds]) => !holds).map(([field, , message]) => ({ field, message }));

/** Step 1. */
export const teamFaults = (team: TeamFields, files: Chosen<'logo'>): readonly Fault[] =>
  faultsOf([
    ['name', letters(team.name) >= TEAM_NAME_MIN, fieldTexts.teamName],
    ['origin', letters(team.origin) > 0, fieldTexts.origin],
    ['teamPrimaryNumber', isPhone(team.teamPrimaryNumber), fieldTexts.teamPrimaryNumber],
    ['logo', files.logo, fieldTexts.teamLogo],
  ]);

/** Step 2. The name is checked for 7 letters; its message says 6 (specification section 5). */
export const coachFaults = (coach: CoachFields, files: Chosen<'coachImage'>): readonly Fault[] =>
  faultsOf([
    ['coachname', letters(coach.coachname) >= COACH_NAME_MIN, fieldTexts.coachName],
    ['coachphoneNumber', isPhone(coach.coachphoneNumber), fieldTexts.coachPhone],
    ['contact_number_2', isPhone(coach.contact_number_2), fieldTexts.coachSecondPhone],
    ['coachImage', files.coachImage, fieldTexts.coachPhoto],
  ]);

/** Step 3: the first of the eight checks that fails. */
export const playerFault = (player: PlayerFields, files: Chosen<'image' | 'document'>): Fault | undefined =>
  faultsOf([
    ['name', letters(player.name) > 0, fieldTexts.playerName],
    ['jerseyNumber', isShortNumber(player.jerseyNumber), fieldTexts.jerseyNumber],
    ['mobileNumber', isPhone(player.mobileNumber), fieldTexts.playerContact],
    ['age', isShortNumber(player.age), fieldTexts.age],
    ['height', isShortNumber(player.height), fieldTexts.height],
    ['weight', isShortNumber(player.weight), fieldTexts.weight],
    ['image', files.image, fieldTexts.playerPhoto],
    ['document', files.document, fieldTexts.idDocument],
  ])[0];

const isTyped = (fields: TeamFields | PlayerFields): boolean => Object.values(fields).some((text) => text.trim() !== '');

/** Whether anything was typed or chosen for the next player: it would be lost with the draft. */
export const isPlayerBegun = (player: PlayerFields, files: Chosen<'image' | 'document'>): boolean => isTyped(player) || files.image || files.document;

/** What is asked when the registration is completed beside such a player. @param unanswered this one was sent, and may have been added */
export const notAddedText = ({ name }: Pick<PlayerFields, 'name'>, unanswered: boolean): string => {
  if (unanswered) return `It is not known whether '${name.trim()}' was added.`;
  return `${name.trim() === '' ? 'The player that you have begun' : `'${name.trim()}'`} has not been added.`;
};

/** What is said of something that was sent, as long as there is no word of it. */
export const unansweredText = (happened: string, button: string): string =>
  `It is not known whether ${happened}. Until it is, what you typed cannot be changed. ${button} asks again, and nothing is saved twice.`;

/** The server has a coach, whoever was sent now. */
export const coachSavedBeforeText = 'The coach was saved already: saved steps cannot be edited.';

/** The server has recorded a team whose answer was lost, and tells nobody which who does not send the same logo. */
export const teamOutOfReachText = `Your team was saved already, with another logo, and cannot be gone on with. Save & Continue registers it anew; the first one is removed after ${String(REGISTRATION_LIFETIME_MS / 3_600_000)} hours.`;

/** The player that was sent, where the server has them and the list of the wizard has not: number and name tell. */
export const findUnlisted = (
  roster: readonly RosterPlayer[],
  listed: readonly { readonly _id: string }[],
  { name, jerseyNumber }: Pick<PlayerFields, 'name' | 'jerseyNumber'>,
): RosterPlayer | undefined =>
  roster.find(
    (player) => player.jerseyNumber === jerseyNumber && player.name === name.trim().normalize('NFC') && listed.every(({ _id }) => _id !== player._id),
  );

/** How long a registration may take, said before it is begun. */
export const keptText = `An unfinished registration is kept for ${String(REGISTRATION_LIFETIME_MS / 3_600_000)} hours after its first step, in this browser only.`;
/** Said in its place where the browser keeps nothing (a full disk, a private window). */
export const unkeptText = 'This browser cannot keep what you write here: it is lost when this page is left or reloaded.';

/** Whether there is anything to lose. */
export const isWritten = ({
  teamId,
  team,
  filesChosen,
}: {
  readonly teamId: string | undefined;
  readonly team: TeamFields;
  readonly filesChosen: number;
}): boolean => teamId !== undefined || isTyped(team) || filesChosen > 0;

type Written = {
  readonly lost: boolean;
  readonly teamId: string | undefined;
  readonly coachSaved: boolean;
  readonly team: TeamFields;
  readonly players: readonly unknown[];
};

/** What a manager finds again once registration reopens; undefined where nothing has been written. @param unkept it lives in this page alone */
export const savedText = ({ lost, teamId, coachSaved, team, players }: Written, unkept: boolean): string | undefined => {
  // The server has forgotten its team and players: they are registered anew then.
  const parts =
    teamId === undefined || lost
      ? [isTyped(team) && 'what you typed']
      : ['your team', coachSaved && 'its coach', players.length > 0 && formatCount(players.length, 'player')];
  const found = parts.filter((part) => part !== false);
  if (unkept && found.length > 0) return unkeptText;
  return found.length === 0
    ? undefined
    : `Nothing is lost: ${new Intl.ListFormat('en-GB').format(found)} will stand here again when registration reopens. ${keptText}`;
};

/** The server does not know this browser as the one that began the registration. */
export const lostText = 'This registration has expired or was started in another browser.';

/** How many players are still missing before the registration can be completed. */
export const playersNeeded = (added: number): number => Math.max(0, PLAYERS_TO_COMPLETE - added);

export type Step = 1 | 2 | 3;

/** The step that waits: the first that the server has not accepted yet. */
export const waitingStep = (saved: { readonly team: boolean; readonly coach: boolean }): Step => (!saved.team ? 1 : saved.coach ? 3 : 2);

type Filled = { readonly team: TeamFields; readonly coach: CoachFields; readonly players: readonly unknown[]; readonly files: Chosen<'logo' | 'coachImage'> };

/** Whether a step has what it needs (specification section 4): step 1 name, origin and logo; step 2 name, number and image; step 3 a player. */
export const isStepValid = (step: Step, { team, coach, players, files }: Filled): boolean => {
  if (step === 1) return letters(team.name) > 0 && letters(team.origin) > 0 && files.logo;
  if (step === 2) return letters(coach.coachname) > 0 && coach.coachphoneNumber !== '' && files.coachImage;
  return players.length > 0;
};

/** A phone number in groups, as people read it: `9841 023 776`. */
export const spacedPhone = (phone: string): string => phone.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1 $2 $3');
