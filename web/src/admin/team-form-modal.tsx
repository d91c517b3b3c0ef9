import { PHONE_DIGITS } from '@courtledger/contracts/kernel/limits';
import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import type { ReactElement } from 'react';
import type { Role } from '../lib/session.ts';
import { photoOrRefusal } from '../lib/shrink-photo.ts';
import { correctTeam } from './admin.data.ts';
import { CorrectDetailsModal } from './correct-details-modal.tsx';

const fields = [
  { field: 'name', label: 'Team name' },
  { field: 'origin', label: 'Origin / Location' },
  { field: 'teamPrimaryNumber', label: 'Primary number', digits: PHONE_DIGITS },
  { field: 'coachname', label: 'Coach name' },
  { field: 'coachphoneNumber', label: 'Coach primary number', digits: PHONE_DIGITS },
  { field: 'contact_number_2', label: 'Coach secondary number', digits: PHONE_DIGITS },
] as const;

type TeamFormModalProps = { /** Who corrects it. */ readonly account: Role; readonly team: TeamAnswer; readonly onClose: () => void };

/** Corrects a team and its coach. */
export const TeamFormModal = ({ account, team: { _id: teamId, team_details: details, coach }, onClose }: TeamFormModalProps): ReactElement => (
  <CorrectDetailsModal
    title="Edit Team"
    submitText="Update Team"
    doneText="Team updated"
    fields={fields}
    current={{ name: details.name, origin: details.origin, teamPrimaryNumber: details.teamPrimaryNumber, coachname: coach.name ?? '', coachphoneNumber: coach.phone_number ?? '', contact_number_2: coach.contact_number_2 ?? '' }}
    files={[
      { slot: 'logo', label: 'Team logo', icon: 'picture', accept: 'image/*', hint: 'Max size: 2MB. Square JPG or PNG preferred', current: details.logo, prepare: photoOrRefusal },
      { slot: 'coachImage', label: 'Coach photo', icon: 'camera', accept: 'image/*', hint: 'Max size: 2MB', current: coach.image, prepare: photoOrRefusal },
    ]}
    send={(changed) => correctTeam(account, teamId, changed)}
    onClose={onClose}
  />
);
