import type { HistoryRow } from '@courtledger/contracts/match/match.answers';
import { describe, expect, it } from 'vitest';
import { adminFaults } from './admin-form.rules.ts';
import { canAssign, pickTeam } from './assign-match.rules.ts';
import { changedBody } from './edit-form.rules.ts';
import { canReverse, factInWords, totalsInWords } from './match-history.rules.ts';

describe('assigning a match', () => {
  it('toggles a team, and a third pick replaces the selection with only the new team', () => {
    const picks = ['a', 'b', 'c', 'c', 'd', 'a', 'd'];
    let picked: readonly string[] = [];
    const seen = picks.map((team) => {
      picked = pickTeam(picked, team);
      return picked.join('');
    });
    expect(seen).toEqual(['a', 'ab', 'c', '', 'd', 'da', 'a']);
  });

  it('needs two teams and a date', () => {
    expect([canAssign(['a', 'b'], '2026-11-21'), canAssign(['a'], '2026-11-21'), canAssign(['a', 'b'], ''), canAssign(['a', 'b'], null)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('the admin form', () => {
  const good = { username: 'pema', password: 'mountain-court-19', email: 'pema@example.com', phoneNumber: '9803311204' };

  it('requires every field, in the order of the form', () => {
    expect(adminFaults({ username: ' ', password: '', email: '', phoneNumber: '' }, false)).toEqual([
      { field: 'username', message: 'username is required' },
      { field: 'password', message: 'password is required' },
      { field: 'email', message: 'email is required' },
      { field: 'phoneNumber', message: 'phoneNumber is required' },
    ]);
  });

  it('keeps the old password of an edit when none is given', () => {
    expect([adminFaults({ ...good, password: '' }, true), adminFaults({ ...good, password: 'short' }, true)]).toEqual([
      [],
      [{ field: 'password', message: 'password must be 8 to 128 characters long' }],
    ]);
  });

  it.each(['pema@', 'pema', '@example.com', 'pe ma@example.com', 'pema@example'])('refuses the address %j', (email) => {
    expect(adminFaults({ ...good, email }, false)).toEqual([{ field: 'email', message: 'email must be a valid e-mail address' }]);
  });

  it('takes a whole form', () => {
    expect(adminFaults(good, false)).toEqual([]);
  });
});

describe('an edit', () => {
  it('sends only what was changed, and the files that were chosen', () => {
    const logo = new File(['x'], 'logo.png', { type: 'image/png' });
    const body = changedBody({ name: 'Dukes', origin: 'Dharan' }, { name: 'Dukes ', origin: 'Itahari' }, { logo, coachImage: undefined });
    expect([...(body ?? new FormData()).keys()]).toEqual(['origin', 'logo']);
    expect(body?.get('origin')).toBe('Itahari');
  });

  it('sends what may have been recorded as well, as it stands now', () => {
    const body = changedBody({ name: 'Dukes', origin: 'Dharan' }, { name: 'Dukes', origin: 'Dharan ' }, {}, new Set(['origin', 'logo']));
    expect([...(body ?? new FormData())]).toEqual([['origin', 'Dharan']]);
  });

  it('is nothing when nothing differs', () => {
    expect(changedBody({ name: 'Dukes' }, { name: ' Dukes' }, {})).toBeUndefined();
  });
});

const row = (more: Partial<HistoryRow>): HistoryRow => ({
  position: '7',
  at: '2026-11-21T10:00:00.000Z',
  actor: { role: 'admin', id: 'a1', name: 'Sarita' },
  type: 'StatIncrementRecorded',
  points: 0,
  assists: 0,
  rebounds: 0,
  reversed: false,
  commandId: 'c1',
  ...more,
});

describe('the history of a match', () => {
  it('says what was recorded', () => {
    expect(
      [
        row({ points: 3, assists: -1 }),
        row({ type: 'StatEntryReversed', points: -3, assists: 1 }),
        row({ type: 'PlayerParticipationRecorded', notplayed: 'Not Played' }),
        row({ type: 'PlayerParticipationRecorded', notplayed: 'played', impliedBy: 'e1' }),
        row({ type: 'ScoreConfirmed' }),
      ].map(factInWords),
    ).toEqual(['Points +3, Assists −1', 'Taken back: Points −3, Assists +1', 'Not Played', 'played, followed from the entries', 'score confirmed']);
  });

  it('lets an entry be taken back once, and its reversal too', () => {
    expect(
      [
        row({ entryId: 'e1' }),
        row({ entryId: 'e1', reversed: true }),
        row({ type: 'StatEntryReversed', entryId: 'e2', targetEntryId: 'e1' }),
        row({ type: 'MatchAssigned' }),
        row({ type: 'PlayerParticipationRecorded', entryId: 'e3', notplayed: 'DNP' }),
      ].map(canReverse),
    ).toEqual([true, false, true, false, false]);
  });

  it('shows the totals that stood after it', () => {
    expect([totalsInWords(row({ runningTotal: { points: 37, assists: 9, rebounds: 6 } })), totalsInWords(row({}))]).toEqual([
      '37 points, 9 assists, 6 rebounds',
      '',
    ]);
  });
});
