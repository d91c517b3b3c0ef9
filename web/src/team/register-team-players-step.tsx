import { IconPlus } from '@tabler/icons-react';
import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type FormEvent, type ReactElement } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { ApiError } from '../lib/api-client.ts';
import { formatCount } from '../lib/format.rules.ts';
import { toastError, toastSuccess } from '../lib/toasts.ts';
import { useShown } from '../lib/use-shown.ts';
import { BusyButton } from '../ui/busy-button.tsx';
import { focusField } from '../ui/form-field.tsx';
import { PersonPhoto } from '../ui/picture.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { CompleteRow } from './register-team-complete-row.tsx';
import { NewPlayerFields, playerLabels } from './register-team-player-fields.tsx';
import { addPlayerToTeam, enterTeam } from './register-team.data.ts';
import { FailureBanner, StepFrame, isLost, refusalText, useSendWhenReady } from './register-team-step.tsx';
import { findUnlisted, isPlayerBegun, notAddedText, playerFault, playersNeeded, spacedPhone, type Fault } from './register-team.rules.ts';
import type { Draft, DraftPart } from './register-team-draft.ts';
import type { Registration } from './use-register-team.ts';

/** The players that the server has taken so far. */
const AddedPlayers = ({ players }: { readonly players: Draft['players'] }): ReactElement => (
  <section className="wiz__added">
    <h3 aria-live="polite">{formatCount(players.length, 'player')} added</h3>
    {players.length > 0 && (
      <ul className="roster">
        {players.map((player) => (
          <li className="card" key={player._id}>
            <PersonPhoto image={player.image} name={player.name} decorative />
            <span>
              <b>
                <ScriptText text={player.name} />
              </b>
              <small>{spacedPhone(player.mobileNumber)}</small>
            </span>
            <span className="jersey">
              <span className="sr">Jersey number </span>
              {player.jerseyNumber}
            </span>
          </li>
        ))}
      </ul>
    )}
  </section>
);

type PlayersStepProps = { readonly registration: Registration; readonly tournamentId: string; readonly onBack: () => void };

/** Step 3: players one by one, then the entry into the tournament. */
export const PlayerDetailsStep = ({ registration, tournamentId, onBack }: PlayersStepProps): ReactElement => {
  const { draft, files } = registration;
  const navigate = useNavigate();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [sending, setSending] = useState(false);
  const [completing, setCompleting] = useState(false);
  const shown = useShown();
  /** The first failed message, and the field it is about (none: the server's own). */
  const [fault, setFault] = useState<Fault>();
  const [focusOn, setFocusOn] = useState<{ readonly field: string }>();
  useEffect(() => {
    if (focusOn) focusField(form.current, focusOn.field);
  }, [focusOn]);

  // The same object as long as it is the same fault: it comes into view once, not with every letter that is typed.
  const outcome = useMemo(() => fault && ({ kind: 'bad', text: fault.message } as const), [fault]);

  const unanswered = (['entry', 'player'] as const).find((part) => draft.unanswered.includes(part));
  const needed = playersNeeded(draft.players.length);
  const isBegun = isPlayerBegun(draft.player, {
    image: files.image !== undefined || registration.shrinking.has('image'),
    document: files.document !== undefined || registration.shrinking.has('document'),
  });
  const show = (found: Fault): void => {
    setFault(found);
    setFocusOn({ field: found.field });
  };
  /** Says it in a toast; the same text stands in the banner. */
  const refuse = (error: unknown, part: DraftPart, otherwise: string): string => {
    const gone = isLost(error);
    const text = refusalText(error, gone, otherwise, playerLabels);
    if (gone) registration.markLost(draft.teamId);
    toastError(text, part);
    return text;
  };
  const add = async (): Promise<void> => {
    const now = registration.current();
    if (!now) return;
    const { teamId, player: written, players, keys } = now;
    const { image, document } = files;
    const wrong = playerFault(written, { image: registration.isChosen('image'), document: registration.isChosen('document') });
    if (wrong) {
      show(wrong);
      return;
    }
    if (!image || !document || teamId === undefined) return;
    setFault(undefined);
    setSending(true);
    try {
      const player = await registration.send<Draft['players'][number]>(
        'player',
        keys.player,
        () => addPlayerToTeam(teamId, written, { image, document }, keys.player),
        async () => {
          // A number of the list is that of another player.
          if (players.some(({ jerseyNumber }) => jerseyNumber === written.jerseyNumber)) return undefined;
          const found = findUnlisted((await registration.readTeam(teamId)).players, players, written);
          return found && { ...found, mobileNumber: written.mobileNumber };
        },
      );
      registration.playerAdded(player);
      toastSuccess(outcomeTexts.playerAdded, 'player');
      // The next player is typed at once.
      setFocusOn({ field: 'name' });
    } catch (error) {
      const message = refuse(error, 'player', outcomeTexts.playerNotAdded);
      show({ field: (error instanceof ApiError ? error.faults[0]?.path : undefined) ?? '', message });
    } finally {
      setSending(false);
    }
  };
  const { isWaiting, press } = useSendWhenReady(registration.shrinking.size > 0, () => void add());
  const adding = sending || isWaiting;
  const complete = async (): Promise<void> => {
    const { teamId, keys } = registration.current() ?? {};
    if (teamId === undefined || keys === undefined) return;
    setCompleting(true);
    try {
      await registration.send('entry', keys.entry, () => enterTeam(tournamentId, teamId, keys.entry));
      toastSuccess(outcomeTexts.teamEntered, 'entry');
      await registration.complete(keys.entry);
      // Read again by the page that follows: a request of this one would be cut off.
      void client.invalidateQueries({ refetchType: 'none' });
      // Whoever has left stays where they are.
      if (shown.current) void navigate(paths.upcoming.to());
    } catch (error) {
      setFault({ field: '', message: refuse(error, 'entry', outcomeTexts.teamNotEntered) });
      setCompleting(false);
    }
  };
  const changed = (field: string): void => {
    if (fault?.field === field) setFault(undefined);
  };
  const faultOf = (field: string): string | undefined => (fault?.field === field ? fault.message : undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!adding) press();
  };
  return (
    <StepFrame title="Player Details" registration={registration}>
      <AddedPlayers players={draft.players} />
      <form className="wiz__player" ref={form} onSubmit={submit} noValidate>
        <FailureBanner registration={registration} outcome={outcome} unanswered={adding || completing ? undefined : unanswered} />
        <NewPlayerFields registration={registration} unanswered={unanswered} adding={adding} faultOf={faultOf} onChange={changed} />
        <BusyButton type="submit" className="btn btn--s btn--full" busy={adding} busyText="Adding Player..." disabled={unanswered === 'entry'}>
          <IconPlus className="i" stroke={1.75} aria-hidden="true" />
          Add Player to Team
        </BusyButton>
      </form>
      <CompleteRow
        needed={needed}
        adding={adding}
        completing={completing}
        askedFirst={isBegun && unanswered !== 'entry' ? notAddedText(draft.player, unanswered === 'player') : undefined}
        onKeep={() => {
          setFocusOn({ field: 'name' });
        }}
        onBack={onBack}
        onComplete={() => void complete()}
      />
    </StepFrame>
  );
};
