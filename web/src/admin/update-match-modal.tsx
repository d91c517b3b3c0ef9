import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import type { MatchListItem } from '@courtledger/contracts/match/match.answers';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { formatCount, formatFullDate } from '../lib/format.rules.ts';
import { ScriptText } from '../ui/script-text.tsx';
import { listTeams, recordMatchStats } from './admin.data.ts';
import type { TraceQuestion } from './audit.data.ts';
import { EditForm } from './edit-form.tsx';
import './operations.css';
import { UpdateMatchTable } from './update-match-table.tsx';
import {
  belowZero,
  changesInWords,
  editorRows,
  emptyLine,
  firstFault,
  isOvertaken,
  isTyped,
  linesToSend,
  type Edits,
  type LineEdit,
} from './update-match.rules.ts';
import { useHeldCommand } from './use-command.ts';
import { useWhy } from './why.tsx';

/** So many changes fit below the fields of a phone, in three lines; more are scrolled. */
const shownAtOnce = 4;

type UpdateMatchModalProps = {
  readonly match: MatchListItem;
  /** The match is being read again. */
  readonly isBeingRead: boolean;
  readonly onClose: () => void;
};

/** 'Update Match': increments for both teams, sent together, applied once however often the button is pressed. */
export const UpdateMatchModal = ({ match, isBeingRead, onClose }: UpdateMatchModalProps): ReactElement => {
  const [edits, setEdits] = useState<Edits>({});
  const { why, panel } = useWhy();
  const teams = useQuery(listTeams());
  const [sentOn, setSentOn] = useState(match);
  const command = useHeldCommand(() => outcomeTexts.matchNotUpdated);
  // What was sent may be in the totals already, by a live update that came before the answer: they stand as they were until that is known. Names are those of
  // now: one may be erased meanwhile.
  const stood = command.held ? { ...match, playerStats: sentOn.playerStats } : match;
  const rows1 = editorRows(stood, match.team1Id);
  const rows2 = editorRows(stood, match.team2Id);
  const rows = [...rows1, ...rows2];
  const [openedOn, setOpenedOn] = useState<typeof rows>();
  // What is still to come as this opens may be what the same admin has recorded just before.
  if (openedOn === undefined && !isBeingRead) setOpenedOn(rows);
  const changes = changesInWords(rows, edits);
  const negative = belowZero(rows, edits);
  const fault = firstFault(rows, edits);
  const typed = isTyped(rows, edits);
  const logoOf = (teamId: string): string | undefined => teams.data?.find((team) => team._id === teamId)?.team_details.logo;
  const edit = (playerId: string, change: Partial<LineEdit>): void => {
    setEdits((now) => ({ ...now, [playerId]: { ...(now[playerId] ?? emptyLine), ...change } }));
  };
  const whyInMatch = (question: TraceQuestion): void => {
    why?.({ ...question, match: match.matchId });
  };
  const send = async (): Promise<void> => {
    if (!command.held) setSentOn(match);
    // With nothing to add as well: the specification has a text for each answer, and none for a sheet that says nothing (section 8).
    const stats = { matchId: match.matchId, team1Players: linesToSend(rows1, edits), team2Players: linesToSend(rows2, edits) };
    await command.finish(() => recordMatchStats(stats, command.keyFor(JSON.stringify(stats))), outcomeTexts.matchUpdated, onClose);
  };
  return (
    <EditForm
      title="Update Match"
      subtitle={<ScriptText text={`${match.tournamentName}, ${formatFullDate(match.date)}`} />}
      width={1240}
      command={command}
      submitText="Update Match"
      locked={fault !== undefined}
      holdsFields
      changed={typed}
      note={
        <output>
          {fault !== undefined && <span className="neg">{fault}</span>}
          {fault === undefined && (
            // What may scroll must be within reach of the keyboard.
            <span className="mute" {...(changes.length > shownAtOnce && { tabIndex: 0 })}>
              {changes.length === 0 ? 'No changes yet' : `${formatCount(changes.length, 'change')}: ${changes.join(', ')}`}
            </span>
          )}
          {negative.length > 0 && <span className="neg"> Below 0: {negative.join(', ')}</span>}
          {typed && openedOn !== undefined && isOvertaken(openedOn, rows) && (
            <span> Recorded elsewhere since this was opened: the totals have it, and what is typed here comes on top.</span>
          )}
        </output>
      }
      alert={command.refusal}
      alertNote={command.failure?.message}
      save={send}
      onClose={onClose}
    >
      {panel}
      <div className="duo">
        <UpdateMatchTable
          team={{ id: match.team1Id, name: match.team1Name, logo: logoOf(match.team1Id) }}
          rows={rows1}
          edits={edits}
          locked={command.held}
          onEdit={edit}
          onWhy={whyInMatch}
        />
        <UpdateMatchTable
          team={{ id: match.team2Id, name: match.team2Name, logo: logoOf(match.team2Id) }}
          rows={rows2}
          edits={edits}
          locked={command.held}
          onEdit={edit}
          onWhy={whyInMatch}
        />
      </div>
    </EditForm>
  );
};
