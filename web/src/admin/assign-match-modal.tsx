import { fieldTexts, outcomeTexts } from '@courtledger/contracts/kernel/texts';
import type { AdminTournament } from '@courtledger/contracts/tournament/tournament.answers';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { getTournament } from '../tournament/tournament.data.ts';
import { Crest } from '../ui/crest.tsx';
import { formMessage } from '../ui/field-message.rules.ts';
import { TextField } from '../ui/form-field.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { assignMatch } from './admin.data.ts';
import { canAssign, pickTeam } from './assign-match.rules.ts';
import { DateField } from './date-field.tsx';
import { EditForm } from './edit-form.tsx';
import { QueryState } from './query-state.tsx';
import { useHeldCommand } from './use-command.ts';

type AssignMatchModalProps = { readonly tournament: AdminTournament; readonly onClose: () => void };

/** Two teams, a date, and a time if there is one. */
export const AssignMatchModal = ({ tournament, onClose }: AssignMatchModalProps): ReactElement => {
  const populated = useQuery(getTournament(tournament._id));
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [date, setDate] = useState('');
  const [time, setTime] = useState('');
  const [alert, setAlert] = useState<string>();
  const command = useHeldCommand(() => outcomeTexts.matchNotAssigned);
  const teams = populated.data?.teams ?? [];
  /** What was refused is no more what stands there. */
  const touching =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      set(value);
      setAlert(undefined);
      command.forget();
    };
  const send = async (): Promise<void> => {
    const [teamAId = '', teamBId = ''] = picked;
    if (!canAssign(picked, date)) {
      setAlert(fieldTexts.assignMatch);
      return;
    }
    setAlert(undefined);
    const match = { teamAId, teamBId, tournamentId: tournament._id, matchTime: time.trim(), matchDate: date };
    await command.finish(() => assignMatch(match, command.keyFor(JSON.stringify(match))), outcomeTexts.matchAssigned, onClose);
  };
  return (
    <EditForm
      title="Assign Match"
      subtitle={<ScriptText text={tournament.name} />}
      width={560}
      command={command}
      submitText="Add Match"
      changed={picked.length > 0 || date !== '' || time !== ''}
      alert={alert ?? command.refusal}
      alertNote={
        alert === undefined && command.failure ? formMessage(command.failure.message, { matchDate: 'Match date', matchTime: 'Match time' }) : undefined
      }
      save={send}
      onClose={onClose}
    >
      <QueryState query={populated} />
      {populated.data && teams.length === 0 && <p className="mute">No team has entered this tournament yet.</p>}
      <fieldset className="picks">
        <legend className="sr">Teams, pick two</legend>
        {teams.map((team) => {
          const chosen = picked.includes(team._id);
          return (
            <button
              key={team._id}
              type="button"
              className="card pick"
              aria-pressed={chosen}
              onClick={() => {
                touching(setPicked)(pickTeam(picked, team._id));
              }}
            >
              <Crest id={team._id} name={team.team_details.name} logo={team.team_details.logo} />
              <span>
                <ScriptText text={team.team_details.name} />
              </span>
              {chosen && <IconCircleCheck className="i" stroke={1.75} aria-hidden="true" />}
            </button>
          );
        })}
      </fieldset>
      <div className="grid2">
        <DateField name="matchDate" label="Match date" value={date} onChange={touching(setDate)} />
        {/* Not cut at five letters: '4:30 PM' would be taken as the time of the night. */}
        <TextField
          name="matchTime"
          label="Match time (optional)"
          optional
          placeholder="16:30"
          value={time}
          error={command.faultOf('matchTime')}
          figures
          onChange={touching(setTime)}
        />
      </div>
    </EditForm>
  );
};
