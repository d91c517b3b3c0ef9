import { fileHints } from '@courtledger/contracts/kernel/texts';
import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import type { ReactElement } from 'react';
import { phoneDigits } from '../lib/digits.rules.ts';
import type { Role } from '../lib/session.ts';
import { photoOrRefusal } from '../lib/shrink-photo.ts';
import { correctTeam } from './admin.data.ts';
import { CorrectDetailsModal, type ErasedPart } from './correct-details-modal.tsx';
import { erasedOfTeam, type TeamPerson } from './erased-person.rules.ts';

const fields = [
  { field: 'name', label: 'Team name' },
  { field: 'origin', label: 'Origin / Location' },
  { field: 'teamPrimaryNumber', label: 'Primary number', digits: phoneDigits },
  { field: 'coachname', label: 'Coach name' },
  { field: 'coachphoneNumber', label: 'Coach primary number', digits: phoneDigits },
  { field: 'contact_number_2', label: 'Coach secondary number', digits: phoneDigits },
] as const;

/** What the form shows of each person, under the wire names, and what is said once it is erased. */
const parts: Readonly<Record<TeamPerson, ErasedPart>> = {
  coach: { names: ['coachname', 'coachphoneNumber', 'contact_number_2', 'coachImage'], said: 'The details of the coach were erased meanwhile.' },
  contact: { names: ['teamPrimaryNumber'], said: "The details of the team's contact were erased meanwhile." },
};

/** `account`: who corrects it. `team`: as it stands now. */
type TeamFormModalProps = { readonly account: Role; readonly team: TeamAnswer; readonly onClose: () => void };

/** Corrects a team and its coach. What is erased meanwhile leaves the form, with a word; what was typed of the rest stays. */
export const TeamFormModal = ({ account, team, onClose }: TeamFormModalProps): ReactElement => {
  const { _id: teamId, team_details: details, coach } = team;
  return (
    <CorrectDetailsModal
      title="Edit Team"
      submitText="Update Team"
      doneText="Team updated"
      fields={fields}
      current={{
        name: details.name,
        origin: details.origin,
        teamPrimaryNumber: details.teamPrimaryNumber,
        coachname: coach.name ?? '',
        coachphoneNumber: coach.phone_number ?? '',
        contact_number_2: coach.contact_number_2 ?? '',
      }}
      erased={erasedOfTeam(team).map((person) => parts[person])}
      files={[
        { slot: 'logo', label: 'Team logo', icon: 'picture', accept: 'image/*', hint: fileHints.squareImage, current: details.logo, prepare: photoOrRefusal },
        {
          slot: 'coachImage',
          label: 'Coach photo',
          icon: 'camera',
          accept: 'image/*',
          hint: fileHints.smallImage,
          current: coach.image,
          prepare: photoOrRefusal,
        },
      ]}
      send={(changed) => correctTeam(account, teamId, changed)}
      onClose={onClose}
    />
  );
};
