import { registerTeamHead } from '@courtledger/contracts/kernel/page-head';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { useUnloadQuestion } from '../lib/unload-question.ts';
import { getTournament } from '../tournament/tournament.data.ts';
import { isRegisterable } from '../tournament/tournament.rules.ts';
import { LoadState } from '../ui/load-state.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { EmptyState } from '../ui/states.tsx';
import { CoachDetailsStep } from './register-team-coach-step.tsx';
import { TeamDetailsStep } from './register-team-details-step.tsx';
import { PlayerDetailsStep } from './register-team-players-step.tsx';
import { RegisterTeamRail } from './register-team-rail.tsx';
import './register-team.css';
import { isWritten, savedText, waitingStep, type Step } from './register-team.rules.ts';
import { useRegisterTeam } from './use-register-team.ts';

type WizardProps = { readonly tournamentId: string; readonly tournamentName: string; readonly registerable: string };

/** Instead of the steps: an empty one would invite to register the same team once more. */
const CompletedElsewhere = (): ReactElement => (
  <div className="wrap wiz__none" role="alert">
    <h1 className="h1">Register New Team</h1>
    <EmptyState text="This registration is complete.">
      <Link className="btn btn--s btn--sm" to={paths.upcoming.to()}>
        Upcoming Events
      </Link>
    </EmptyState>
  </div>
);

/** The three steps; each is left once the server has accepted it. */
const Wizard = ({ tournamentId, tournamentName, registerable }: WizardProps): ReactElement => {
  const navigate = useNavigate();
  // Chosen by Back, by the advance after a success, and by what another tab has saved.
  const [asked, setAsked] = useState<Step>();
  const registration = useRegisterTeam(tournamentId, setAsked);
  const { draft, completed, unkept } = registration;
  useUnloadQuestion(unkept && isWritten(draft));
  const waiting = waitingStep({ team: draft.teamId !== undefined, coach: draft.coachSaved });
  const [opened] = useState(waiting);
  const chosen = asked ?? opened;
  // A registration that was thrown away begins at step 1 again.
  const step = chosen > waiting ? waiting : chosen;
  const go = (to: Step) => (): void => {
    setAsked(to);
    window.scrollTo(0, 0);
  };
  // A registration that may be complete is asked for again also once no other can be begun: the server says what became of it.
  const open = isRegisterable(registerable) || draft.unanswered.includes('entry');
  const saved = savedText(draft, unkept);
  if (completed) return <CompletedElsewhere />;
  return (
    <div className="wiz">
      <RegisterTeamRail registration={registration} step={step} tournamentId={tournamentId} tournamentName={tournamentName} open={open} />
      {!open && (
        <div className="wiz__r">
          <div className="card wiz__closed">
            <h2 className="h2">Registration for this tournament is not open.</h2>
            {saved !== undefined && <p>{saved}</p>}
            <Link className="btn btn--p" to={paths.results.to()}>
              <span>
                <ScriptText text={registerable} />
              </span>
            </Link>
          </div>
        </div>
      )}
      {open && step === 1 && (
        <TeamDetailsStep
          registration={registration}
          onBack={() => {
            void navigate(paths.tournament.to(tournamentId));
          }}
          onDone={go(2)}
        />
      )}
      {open && step === 2 && <CoachDetailsStep registration={registration} onBack={go(1)} onDone={go(3)} />}
      {open && step === 3 && <PlayerDetailsStep registration={registration} tournamentId={tournamentId} onBack={go(2)} />}
    </div>
  );
};

/** 'Register New Team': the wizard of one tournament. */
export const RegisterTeamPage = (): ReactElement => {
  const { id = '' } = useParams();
  const tournament = useQuery(getTournament(id));
  // A draft in progress stays where it is when a later answer does not come.
  if (!tournament.data) {
    return (
      <LoadState query={tournament} noun="tournament" absent={{ title: 'Register New Team', text: 'No tournament data available' }}>
        <Link className="btn btn--s btn--sm" to={paths.upcoming.to()}>
          Upcoming Events
        </Link>
      </LoadState>
    );
  }
  return (
    <>
      <DocumentHead {...registerTeamHead(tournament.data.name)} />
      <Wizard key={id} tournamentId={id} tournamentName={tournament.data.name} registerable={tournament.data.registerable} />
    </>
  );
};
