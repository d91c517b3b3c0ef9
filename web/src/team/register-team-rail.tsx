import { PLAYERS_TO_COMPLETE } from '@courtledger/contracts/kernel/limits';
import { IconCheck } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import halfCourt from '../assets/half-court.svg';
import { previewOf } from '../ui/file-field.tsx';
import { Crest } from '../ui/crest.tsx';
import { PersonPhoto } from '../ui/picture.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { isStepValid, type Step } from './register-team.rules.ts';
import type { Registration } from './use-register-team.ts';

const steps = [
  { step: 1, title: 'Team Details', needs: 'Name, origin, contact, logo' },
  { step: 2, title: 'Coach Details', needs: 'Name, two numbers, photo' },
  { step: 3, title: 'Player Details', needs: `At least ${String(PLAYERS_TO_COMPLETE)} players` },
] as const;

const StepList = ({ registration, step }: RailProps): ReactElement => {
  const { draft, files } = registration;
  const saved = (at: Step): boolean => (at === 1 ? draft.teamId !== undefined : at === 2 && draft.coachSaved);
  const valid = (at: Step): boolean => isStepValid(at, { ...draft, files: { logo: files.logo !== undefined, coachImage: files.coachImage !== undefined } });
  return (
    <ol className="steps">
      {steps.map(({ step: at, title, needs }) => (
        <li key={at} className={saved(at) ? 'done' : ''} {...(at === step && { 'aria-current': 'step' as const })}>
          <i aria-hidden="true">{saved(at) ? <IconCheck className="i" stroke={1.75} /> : at}</i>
          <span>
            <b>{title}</b>
            <small>{saved(at) ? 'Saved' : at === step && at < 3 && valid(at) ? 'Ready to save' : needs}</small>
          </span>
        </li>
      ))}
    </ol>
  );
};

const TeamPreview = ({ registration }: { readonly registration: Registration }): ReactElement => {
  const logo = previewOf(registration.files.logo);
  const { name, origin } = registration.draft.team;
  return (
    <div className="wiz__preview only-d">
      <p>How your team will appear</p>
      <div className="card wiz__card">
        <Crest id={name} name={name || 'Team'} logo={logo} size={56} />
        <b>
          <ScriptText text={name || 'Team name'} />
        </b>
        <span className="mute">
          <ScriptText text={origin || 'Origin'} />
        </span>
      </div>
    </div>
  );
};

const CoachPreview = ({ registration }: { readonly registration: Registration }): ReactElement => {
  const photo = previewOf(registration.files.coachImage);
  const { coachname } = registration.draft.coach;
  return (
    <div className="wiz__preview only-d">
      <p>On the bench of {registration.draft.team.name}</p>
      <div className="wiz__bench">
        <PersonPhoto image={photo} name={coachname || 'Coach'} decorative />
        <span>
          <b>
            <ScriptText text={coachname || 'Coach name'} />
          </b>
          <span className="mute">Coach</span>
        </span>
      </div>
    </div>
  );
};

/** Places of five players on half a court, the playmaker on top. */
const places = [
  { left: '50%', top: 16 },
  { left: '16%', top: 72 },
  { left: '84%', top: 72 },
  { left: '30%', top: 172 },
  { left: '70%', top: 172 },
] as const;

const FivePlaces = ({ registration }: { readonly registration: Registration }): ReactElement => (
  <div className="five only-d" aria-hidden="true">
    <img src={halfCourt} alt="" />
    {places.map((place, index) => {
      const player = registration.draft.players[index];
      return (
        <span key={`${place.left}${String(place.top)}`} className={player ? 'slot in' : 'slot'} style={place}>
          <i>{player ? player.jerseyNumber : index + 1}</i>
          {player ? <ScriptText text={player.name.split(' ')[0] ?? ''} /> : index < PLAYERS_TO_COMPLETE ? 'Needed' : 'Optional'}
        </span>
      );
    })}
  </div>
);

type RailProps = { readonly registration: Registration; readonly step: Step };

/** Beside the form: which tournament, how far, and what it will look like. */
export const RegisterTeamRail = ({
  registration,
  step,
  tournamentId,
  tournamentName,
  open,
}: RailProps & { readonly tournamentId: string; readonly tournamentName: string; readonly open: boolean }): ReactElement => (
  <aside className="wiz__l" aria-label="Progress">
    <div>
      <Link className="crumb only-d" to={paths.tournament.to(tournamentId)}>
        <span>
          <ScriptText text={tournamentName} />
        </span>
      </Link>
      <h1>Register New Team</h1>
    </div>
    <StepList registration={registration} step={step} />
    {open && step === 1 && <TeamPreview registration={registration} />}
    {open && step === 2 && <CoachPreview registration={registration} />}
    {open && step === 3 && <FivePlaces registration={registration} />}
  </aside>
);
