import type { TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { selectTournament } from '../lib/storage.ts';
import { formatMonthYear } from '../lib/format.rules.ts';
import { listTournaments } from '../tournament/tournament.data.ts';
import { eventNameFound, findTournaments, rowsShown, splitMatch } from '../tournament/tournament-search.rules.ts';
import { isNotLoaded } from '../ui/load-state.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { isAt, paths } from './paths.ts';

/** A name with what was searched in it marked. */
const MarkedName = ({ name, query }: { readonly name: string; readonly query: string }): ReactElement => (
  <>
    {splitMatch(name, query).map((part) =>
      part.hit ? (
        <mark key={part.at}>
          <ScriptText text={part.text} />
        </mark>
      ) : (
        <ScriptText key={part.at} text={part.text} />
      ),
    )}
  </>
);

/** Under the name of the tournament that of its event, where it was found by that alone. */
const EventName = ({ tournament, query }: { readonly tournament: TournamentListItem; readonly query: string }): ReactElement | null => {
  const found = eventNameFound(tournament, query);
  return found === undefined ? null : (
    <small>
      <MarkedName name={found} query={query} />
    </small>
  );
};

/** `focusNow`: the row was just opened, write at once. */
type TournamentSearchProps = { readonly focusNow?: boolean; readonly onLeave?: () => void };

/** 'Search tournaments': a field with a list of what matches. Choosing saves the tournament as the selected one and opens the results. */
export const TournamentSearch = ({ focusNow = false, onLeave }: TournamentSearchProps): ReactElement => {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [asked, setAsked] = useState(focusNow);
  // Nothing is fetched before somebody means to search.
  const tournaments = useQuery({ ...listTournaments(), enabled: asked });
  const notLoaded = isNotLoaded(tournaments);
  const all = findTournaments(tournaments.data?.allTournaments ?? [], text);
  const found = all.slice(0, rowsShown);
  const shown = open && text.trim() !== '' && !tournaments.isPending;

  useEffect(() => {
    if (focusNow) input.current?.focus();
  }, [focusNow]);

  const choose = (id: string | undefined): void => {
    if (id === undefined) return;
    const isFollowed = selectTournament(id);
    setText('');
    setOpen(false);
    onLeave?.();
    // Nothing follows on another page, or on that of the results while it is still fetched.
    if (!isFollowed) void navigate(paths.results.to({ tournament: id }));
    // Only the view changes there: its content is focused, as after a change of page.
    if (isAt(pathname, paths.results)) document.getElementById('content')?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      setOpen(false);
      onLeave?.();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(found[at]?._id);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      if (found.length > 0) setAt((at + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % found.length);
    }
  };
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- older phones do not know the element "search"
    <div className="search" role="search">
      <IconSearch className="i" stroke={1.75} aria-hidden="true" />
      <input
        ref={input}
        className="input"
        type="search"
        placeholder="Search tournaments"
        aria-label="Search tournaments"
        role="combobox"
        aria-expanded={shown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={shown && found[at] ? `${listId}-${String(at)}` : undefined}
        autoComplete="off"
        enterKeyHint="search"
        value={text}
        onFocus={() => {
          setAsked(true);
          if (notLoaded) void tournaments.refetch();
        }}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setOpen(false);
        }}
      />
      {shown && (
        <div className="pop">
          {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a combobox of the ARIA practices: a datalist cannot show place and month */}
          <div role="listbox" id={listId} aria-label="Matching tournaments">
            {found.map((tournament, index) => (
              // The keyboard acts on the field (aria-activedescendant); the pointer on the option itself.
              <div
                key={tournament._id}
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
                role="option"
                id={`${listId}-${String(index)}`}
                aria-selected={index === at}
                tabIndex={-1}
                onMouseDown={(event) => {
                  event.preventDefault();
                  // Not the second button: its menu copies a name.
                  if (event.button === 0) choose(tournament._id);
                }}
              >
                <MarkedName name={tournament.name} query={text} />
                <EventName tournament={tournament} query={text} />
                <small>
                  {formatMonthYear(tournament.startDate)}, <ScriptText text={tournament.location} />
                </small>
              </div>
            ))}
          </div>
          {found.length === 0 && <output>{notLoaded ? 'The tournaments could not be loaded.' : 'No tournaments found'}</output>}
          {all.length > found.length && <output>{`${String(all.length - found.length)} more. Write more of the name or place.`}</output>}
        </div>
      )}
    </div>
  );
};
